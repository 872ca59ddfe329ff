import json
import subprocess
import sys
import tempfile
import tomllib
import unittest
from dataclasses import replace
from pathlib import Path

from umpire_recipe.export.manifest import in_manifest
from umpire_recipe.folders import PACKS, RELEASES, TRAINING
from umpire_recipe.release.description import BadRelease, read_release
from umpire_recipe.release.progress import Progress
from umpire_recipe.release.steps import Places, Step, steps_of

TWO_RUNS = """
[pack]
description = ""
releaseDate = "2026-01-31"
licence = ""

[[checkpoint]]
name = "first"
from = "backbone"

[[checkpoint.stretch]]
mix = { rows = 3 }
train = { tokens = 1 }

[[checkpoint]]
name = "second"
from = "first"

[[checkpoint.stretch]]
mix = { nli-share = 0.5 }
train = { tokens = 2, rate = 1e-4 }

[[checkpoint]]
name = "third"
mean = { first = 0.25, second = 0.75 }

[calibrate]
without = ["one", "other"]
"""


def release(*arguments: object) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "umpire_recipe.release", *map(str, arguments), "--data", "nowhere"]
    return subprocess.run(command, cwd=TRAINING, capture_output=True, text=True)


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = Path(folder.name)
        self.places = Places(*(self.at / name for name in ("data", "authored", "work", "packs", "golden")))

    def described(self, text: str) -> Path:
        folder = self.at / "umpire-test"
        folder.mkdir(exist_ok=True)
        (folder / "release.toml").write_text(text, "utf-8")
        (folder / "card.md").write_text("# umpire-test\n", "utf-8")
        return folder


class Steps(WithFolder):
    def test_the_whole_way_in_order(self):
        steps = steps_of(read_release(self.described(TWO_RUNS)), self.places)
        modules = [step.command[0].removeprefix("umpire_recipe.") for step in steps]
        finishing = ["evaluate", "export", "calibrate", "features", "export", "golden", "golden.features"]
        self.assertEqual(modules, ["prepare", "train", "prepare", "train", "merge", *finishing])
        work = self.places.work
        self.assertEqual(steps[2].command[-2:], ["--nli-share", "0.5"])
        self.assertEqual(steps[3].command[-4:], ["--tokens", "2", "--rate", "0.0001"])
        self.assertNotIn("--init", steps[1].command)
        self.assertEqual(steps[3].command[steps[3].command.index("--init") + 1], str(work / "first" / "model.safetensors"))
        self.assertEqual(
            steps[4].command[-2:], [f"{work / name / 'model.safetensors'}={share}" for name, share in (("first", 0.25), ("second", 0.75))]
        )
        self.assertEqual(steps[7].command[-4:], ["--without", "one", "--without", "other"])
        # Each step reads only what an earlier one made, or the release's own files.
        made = {self.at / "umpire-test" / name for name in ("release.toml", "card.md")}
        for step in steps:
            self.assertLessEqual({path for path in step.reads if path.name not in ("weights.bin", "int8.onnx")}, made, step.name)
            made.add(step.makes)

    def test_another_backbone_goes_to_every_step_that_reads_text_or_starts_from_it(self):
        release, own = read_release(self.described(TWO_RUNS)), self.at / "encoder"
        places = replace(self.places, backbone=own, golden=None)
        given = {step.name: str(own) in step.command for step in steps_of(release, places)}
        reading = {name for name, has in given.items() if has}
        expected = ("mix of first, stretch 1", "training of first, stretch 1", "mix of second, stretch 1", "figures on the tuning split")
        self.assertEqual(reading, {*expected, "draft pack, not calibrated", "pack"})
        self.assertFalse([name for name in given if "golden" in name], "golden vectors are made for packs of this repository")
        [mix, training] = steps_of(release, places)[:2]
        self.assertEqual(mix.reads, [own / "tokenizer.json"])
        self.assertEqual(training.reads[1:], [own / "config.json", own / "model.safetensors"])

    def test_a_description_that_does_not_hold_together_is_refused(self):
        for old, new, message in (
            ('from = "first"', 'from = "fist"', "needs fist"),
            ('name = "second"', 'name = "first"', "Two checkpoints are called first"),
            ('from = "backbone"', 'form = "backbone"', "no other keys"),
            ('from = "backbone"', "", "must be either trained"),
        ):
            with self.subTest(new), self.assertRaisesRegex(BadRelease, message):
                read_release(self.described(TWO_RUNS.replace(old, new, 1)))

    def test_a_lost_checkpoint_is_not_needed_once_it_is_given_back(self):
        text = TWO_RUNS.replace('name = "second"', 'name = "second"\nlost = "no longer there"')
        folder = self.described(text)
        refused = release(folder, "--work", self.places.work, "--packs", self.places.packs)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("cannot be made again: second (no longer there)", refused.stdout)
        self.assertIn("Missing: second.", refused.stderr)
        given = self.places.work / "second" / "model.safetensors"
        given.parent.mkdir(parents=True)
        given.touch()
        planned = release(folder, "--work", self.places.work, "--packs", self.places.packs, "--plan")
        self.assertEqual((planned.returncode, planned.stdout.count("to do:")), (0, 10))


class Guard(WithFolder):
    def test_a_sealed_pack_is_refused_before_anything_runs(self):
        seal = self.places.packs / "umpire-test" / "manifest.json.sha256"
        seal.parent.mkdir(parents=True)
        seal.touch()
        folder = self.described(TWO_RUNS)
        refused = release(folder, "--work", self.places.work, "--packs", self.places.packs)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("would overwrite the released pack", refused.stderr)
        self.assertNotIn("-- mix", refused.stdout)
        allowed = release(folder, "--work", self.places.work, "--packs", self.places.packs, "--overwrite-released-pack")
        self.assertIn("-- mix of first, stretch 1", allowed.stdout)


class Done(WithFolder):
    def test_a_step_is_done_until_its_command_a_file_or_its_result_changes(self):
        read, made = self.at / "read", self.at / "made"
        read.write_text("1")
        step = Step("one", ["module", "--rows", "3"], [read], made)
        progress = Progress(self.at)
        self.assertFalse(progress.is_done(step))
        made.touch()
        self.assertFalse(progress.is_done(step), "a result that no finished step has made")
        progress.finish(step)
        self.assertTrue(Progress(self.at).is_done(step), "read back from the file")
        self.assertFalse(progress.is_done(Step("one", ["module", "--rows", "4"], [read], made)))
        read.write_text("2")
        self.assertFalse(progress.is_done(step))
        self.assertTrue(progress.was_done_otherwise(step))
        read.write_text("1")
        made.unlink()
        self.assertFalse(progress.is_done(step))


class Released(unittest.TestCase):
    def test_every_released_pack_is_described_here_as_it_states_itself(self):
        packs = sorted(path.parent for path in PACKS.glob("*/manifest.json.sha256"))
        self.assertTrue(packs)
        for pack in packs:
            with self.subTest(pack.name):
                folder = RELEASES / pack.name
                read_release(folder)
                manifest = json.loads((pack / "manifest.json").read_text("utf-8"))
                facts = tomllib.loads((folder / "release.toml").read_text("utf-8"))["pack"]
                self.assertEqual(facts, {name: manifest[name] for name in ("description", "releaseDate", "licence")})
                self.assertEqual((folder / "card.md").read_bytes(), (pack / "MODEL_CARD.md").read_bytes())
                self.assertEqual(in_manifest(json.loads((folder / "calibration.json").read_text("utf-8"))), manifest["calibration"])

    def test_umpire_2_says_what_cannot_be_made_again(self):
        with tempfile.TemporaryDirectory() as work:
            said = release("umpire-2", "--work", work)
        self.assertEqual(said.returncode, 1)
        self.assertIn("cannot be made again: umpire-1 (", said.stdout)
        self.assertIn("cannot be repeated", said.stdout)


if __name__ == "__main__":
    unittest.main()
