"""A rehearsal of learning from a larger network: packed, trained, brought back."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from safetensors.torch import load_file

from tests.random_backbone import configuration, write_backbone
from tests.random_checkpoint import VOCABULARY, write_checkpoint
from tests.random_pack import write_pack
from tests.small_data import write_small_data
from tests.test_on_card_mpnet import NOWHERE, said_by
from umpire_recipe.architecture import Settings
from umpire_recipe.backbone.folder import open_backbone, own_backbone
from umpire_recipe.folders import PACKS
from umpire_recipe.on_card import pack, run, unpack
from umpire_recipe.on_card.ahead import mix_at
from umpire_recipe.on_card.folder import MIX, PackedFolder, restored
from umpire_recipe.on_card.pack import teacher_ids
from umpire_recipe.on_card.run import crossed_part, teacher_of
from umpire_recipe.prepare.asked import NLI
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.train.batches import UNKNOWN
from umpire_recipe.train.loss import losses
from umpire_recipe.train.network import network_of
from umpire_recipe.train.teacher import teaching_losses


class Taught(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        name = tempfile.TemporaryDirectory()
        cls.addClassCleanup(name.cleanup)
        cls.at = Path(name.name)
        write_checkpoint(cls.at / "teacher.safetensors", 5, Settings(4, 1e-5, 128))
        # A small network with the words of the teacher.
        encoder = write_backbone(cls.at / "encoder", configuration(2, 64, 2, vocab_size=VOCABULARY))
        shutil.copy(own_backbone().folder / "tokenizer.json", encoder)
        cls.settings = open_backbone(encoder).settings
        manifest = write_pack(cls.at / "teacher", cls.at / "teacher.safetensors")
        (cls.at / "teacher" / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
        data, own = write_small_data(cls.at / "data"), cls.at / "own"
        own.mkdir()
        asked = ("--data", data, "--authored", own, "--rows", 8, "--decision-passes", 1, "--backbone", encoder)
        with mock.patch.object(pack, "repository_bytes", lambda _: 0):
            said_by(pack.main, *asked, "--teacher", cls.at / "teacher", "--out", cls.at / "packed")
        cls.packed = PackedFolder(cls.at / "packed")
        cls.mix_path = cls.at / "mix.npz"
        np.savez(cls.mix_path, **restored(cls.packed.content(MIX)))
        cls.mix = mix_at(cls.mix_path)

    def test_the_teacher_arrives_as_it_was(self):
        tensors, settings, ids = self.packed.teacher()
        self.assertEqual(settings, Settings(4, float(np.float32(1e-5)), 128))
        original = load_file(str(self.at / "teacher.safetensors"))
        self.assertEqual(tensors.keys(), original.keys())
        for name, tensor in tensors.items():
            step = np.abs(original[name].float().numpy()).max(axis=-1, keepdims=True) / 127 if tensor.ndim > 1 else 0
            self.assertTrue((np.abs(tensor - original[name].float().numpy()) <= 1.1 * step + 2e-3).all(), name)
        np.testing.assert_array_equal(ids, np.arange(len(ids)), "here both have the same tokens")

    def test_texts_get_the_questions_of_others_and_no_answers(self):
        part = crossed_part(self.mix, self.mix_path, 20_000, 0, np.random.default_rng(0))
        made = mix_at(part)
        self.assertGreater(made.lengths.sum(), 5000)
        self.assertTrue((made.question_answer == UNKNOWN).all())
        self.assertTrue((made.question_kind != NLI).all())
        self.assertTrue((made.option_label == -1).all(), "no hypotheses")
        states, texts = set(self.mix.windows), set(self.mix.question_text)
        self.assertTrue(states.issuperset(made.windows) and texts.issuperset(made.question_text))
        told = {
            (window, text)
            for group in range(self.mix.size)
            for window in self.mix.windows[self.mix.group_windows_at[group] : self.mix.group_windows_at[group + 1]]
            for text in self.mix.question_text[self.mix.group_questions_at[group] : self.mix.group_questions_at[group + 1]]
        }
        asked = [
            (made.windows[made.group_windows_at[group]], text)
            for group in range(made.size)
            for text in made.question_text[made.group_questions_at[group] : made.group_questions_at[group + 1]]
        ]
        self.assertLess(np.mean([one in told for one in asked]), 0.3)
        # Options stay with their question.
        of = {}
        for one in (self.mix, made):
            for question, text in enumerate(one.question_text):
                options = one.options[one.question_options_at[question] : one.question_options_at[question + 1]]
                of.setdefault(text, []).append((one is made, frozenset(options)))
        for found in of.values():
            known = {options for is_made, options in found if not is_made}
            self.assertTrue(all(options in known for is_made, options in found if is_made))
        batch = made.batch(next(made.batches(np.random.default_rng(0), 2048)))
        self.assertEqual(losses(torch.randn(len(batch.labels), 3), batch)[0].item(), 0, "nothing is learnt but from a teacher")

    def test_what_is_learnt_is_what_the_teacher_says(self):
        batch = self.mix.batch(next(self.mix.batches(np.random.default_rng(0), 2048)))
        teacher = teacher_of(self.packed, "cpu")
        taught = teacher.logits(batch)
        # The same network asked without the folder says the same.
        original = {name: tensor.float() for name, tensor in load_file(str(self.at / "teacher.safetensors")).items()}
        plain = network_of(original, Settings(4, 1e-5, 128)).eval()
        with torch.no_grad():
            said = plain(batch.ids, batch.positions, batch.types, batch.mask, batch.starts)
        self.assertGreater(np.corrcoef(said.ravel(), taught.ravel())[0, 1], 0.98)
        right, counts = teaching_losses(taught, taught, batch)
        self.assertEqual(counts["agreed"], counts["taught"])
        for wrong in (taught + torch.randn(taught.shape, generator=torch.Generator().manual_seed(0)), torch.zeros_like(taught)):
            self.assertGreater(teaching_losses(wrong, taught, batch)[0], right)
        moved = taught.clone().requires_grad_()
        teaching_losses(moved, taught, batch)[0].backward()
        self.assertLess(float(moved.grad.abs().max()), 1e-4, "nothing is left to learn")

    def test_a_run_learns_from_it_and_comes_back_whole(self):
        small = ("--batch-tokens", 1024, "--round-tokens", 8000, "--twins-each", 1, "--batch-workers", 1, "--twin-workers", 1)
        folders = ("--packed", self.at / "packed", "--out", self.at / "out", "--rest", self.at / "rest", "--sealed", NOWHERE)
        said_by(run.main, *folders, *small, "--minutes", 9, "--device", "cpu", "--steps", 50, "--rate", 3e-3, "--decay-from", 1)
        [line] = [json.loads(line) for line in (self.at / "out" / "log.jsonl").read_text("utf-8").splitlines()]
        self.assertGreater(line["agreed"], 0)
        said_by(unpack.main, "--packed", self.at / "packed", "--returned", self.at / "out", "--sealed", NOWHERE, "--out", self.at / "new")
        found, start = load_file(str(self.at / "new")), self.packed.start(NOWHERE)
        self.assertEqual(found.keys(), start.keys())
        self.assertGreater(float((found["word.weight"].float() - torch.from_numpy(start["word.weight"])).abs().max()), 1e-4, "words, too")

        def agreement(tensors: dict) -> float:
            network = network_of({name: torch.as_tensor(tensor).float() for name, tensor in tensors.items()}, self.settings)
            counts = []
            for chosen in self.mix.batches(np.random.default_rng(1), 4096):
                batch = self.mix.batch(chosen)
                with torch.no_grad():
                    logits = network(batch.ids, batch.positions, batch.types, batch.mask, batch.starts)
                said = teaching_losses(logits, teacher.logits(batch), batch)[1]
                counts.append([float(said.get("agreed", 0)), float(said.get("taught", 0))])
            agreed, asked = np.sum(counts, axis=0)
            return agreed / asked

        teacher = teacher_of(self.packed, "cpu")
        self.assertGreater(agreement(found), agreement(start) + 0.05)

    def test_ids_are_those_of_the_same_words(self):
        own, teachers = ((PACKS / name / "tokenizer.json").read_bytes() for name in ("umpire-2", "umpire-3-base"))
        ids = teacher_ids(own, teachers)
        mine, theirs = TextTokenizer(own), TextTokenizer(teachers)
        for text in ("The parcel was returned on Monday, unopened.", "zürich \N{SNOWMAN} \N{CJK UNIFIED IDEOGRAPH-9F8D} 3.5%"):
            self.assertEqual([int(ids[number]) for number in mine.ids(text)], theirs.ids(text))
        self.assertEqual((ids[mine.cls_id], ids[mine.sep_id]), (theirs.cls_id, theirs.sep_id))
        with self.assertRaisesRegex(SystemExit, "does not know"):
            teacher_ids(teachers, own)


if __name__ == "__main__":
    unittest.main()
