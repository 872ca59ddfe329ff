import hashlib
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tests.random_checkpoint import LAYERS, WIDTH, write_checkpoint
from umpire_recipe.answering.decider import read_manifest
from umpire_recipe.answering.features import layers_of_features
from umpire_recipe.export.manifest import tolerance_of
from umpire_recipe.export.pack import json_text
from umpire_recipe.features.basis import principal, written
from umpire_recipe.folders import TRAINING


class Export(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.at = Path(folder.name)
        write_checkpoint(cls.at / "random.safetensors")
        (cls.at / "card.md").write_text("# random\n", "utf-8")
        facts = '[pack]\ndescription = "Guesses."\nreleaseDate = "2026-01-31"\nlicence = "CC0"\n'
        (cls.at / "release.toml").write_text(facts, "utf-8")
        chance, size = np.random.default_rng(0), WIDTH * len(layers_of_features(LAYERS))
        (cls.at / "basis.bin").write_bytes(written([principal(chance.normal(size=(200, size)), 12).stored() for _ in range(2)]))
        cls.packs = [cls.at / "first" / "random", cls.at / "second" / "random"]
        for pack in cls.packs:
            arguments = ["--checkpoint", cls.at / "random.safetensors", "--out", pack, "--release", cls.at]
            arguments += ["--features", cls.at / "basis.bin"]
            subprocess.run([sys.executable, "-m", "umpire_recipe.export", *arguments], cwd=TRAINING, check=True, capture_output=True)

    def test_two_exports_give_the_same_bytes(self):
        first, second = ({path.name: path.read_bytes() for path in pack.iterdir()} for pack in self.packs)
        self.assertEqual(first, second)

    def test_the_manifest_seals_every_file(self):
        pack = self.packs[0]
        manifest = read_manifest(pack)
        self.assertEqual({path.name for path in pack.iterdir()}, {*manifest["files"], "manifest.json", "manifest.json.sha256"})
        for name, file in manifest["files"].items():
            content = (pack / name).read_bytes()
            self.assertEqual(file, {"sizeBytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}, name)
        digest = hashlib.sha256((pack / "manifest.json").read_bytes()).hexdigest()
        self.assertEqual((pack / "manifest.json.sha256").read_text("utf-8"), f"{digest}  manifest.json\n")

    def test_the_manifest_states_the_packs_facts(self):
        manifest = read_manifest(self.packs[0])
        self.assertEqual(
            [manifest[name] for name in ("id", "description", "releaseDate", "licence")], ["random", "Guesses.", "2026-01-31", "CC0"]
        )

    def test_the_self_test_is_measured(self):
        test = read_manifest(self.packs[0])["selfTest"]
        for precision in ("int8", "fp32"):
            self.assertEqual(len(test["scores"][precision]), len(test["options"]))
            self.assertEqual(len(set(test["scores"][precision])), len(test["options"]), "different options, different scores")

    def test_a_deep_network_may_be_further_from_the_scores_of_the_self_test(self):
        self.assertEqual([tolerance_of(layers)["int8"] for layers in (6, 7, 12)], [0.05, 0.3, 0.3])
        self.assertEqual([tolerance_of(layers)["fp32"] for layers in (6, 12)], [0.001, 0.001])

    def test_the_basis_of_features_is_part_of_it_and_of_the_self_test(self):
        manifest = read_manifest(self.packs[0])
        self.assertEqual(manifest["features"], {"layers": [1], "basis": {"file": "features.bin", "components": 12}})
        self.assertEqual((self.packs[0] / "features.bin").read_bytes(), (self.at / "basis.bin").read_bytes())
        tested = manifest["selfTest"]["features"]
        self.assertEqual([len(tested[precision]) for precision in ("int8", "fp32")], [8, 8])
        self.assertEqual(len(set(tested["fp32"])), 8)

    def test_each_held_out_count_is_one_line(self):
        points = [{"probability": p, "answers": 10, "errors": 1} for p in (0.9, 0.8)]
        text = json_text({"risk": {"noul": [{"maxOptions": 2, "points": points}]}})
        self.assertIn('\n          { "probability": 0.9, "answers": 10, "errors": 1 },\n', text)
        self.assertEqual(json.loads(text)["risk"]["noul"][0]["points"], points)

    def test_the_tokenizer_reads_special_tokens_as_text(self):
        settings = json.loads((self.packs[0] / "tokenizer.json").read_text("utf-8"))
        self.assertEqual((settings["truncation"], settings["padding"], settings["added_tokens"]), (None, None, []))


if __name__ == "__main__":
    unittest.main()
