"""The cross-encoder: what it reads, and the folder that it becomes."""

import json
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from tokenizers import Tokenizer

from tests.random_backbone import configuration, write_backbone
from tests.small_data import write_small_data
from umpire_recipe.backbone.folder import open_backbone
from umpire_recipe.folders import TRAINING
from umpire_recipe.pair.accuracy import accuracy
from umpire_recipe.pair.bert import INPUTS
from umpire_recipe.pair.pairs import LONGEST, Pair, PairReader, batch_of, batches
from umpire_recipe.pair.run import logits_of
from umpire_recipe.prepare.holdout import is_held_out
from umpire_recipe.prepare.nli import NOT_ENTAILMENT
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.train.network import untrained


class Pairs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        at = Path(folder.name)
        cls.data, cls.out = write_small_data(at / "data"), at / "made"
        cls.backbone = open_backbone(write_backbone(at / "encoder", configuration(2, 64, 4)))
        cls.reader = PairReader(cls.data, TextTokenizer(cls.backbone.tokenizer_json))
        command = [sys.executable, "-m", "umpire_recipe.pair", "--data", cls.data, "--out", cls.out, "--minutes", "0.02"]
        cls.done = subprocess.run([*command, "--backbone", cls.backbone.folder], cwd=TRAINING, text=True, capture_output=True)

    def test_pairs_are_read_as_hubs_pair_them(self):
        first, second = self.reader.pairs([(0, "Ana has the lamp.", "It is Ana."), (1, "lamp " * 900, "map")])
        cls_id, sep_id = self.reader.tokenizer.cls_id, self.reader.tokenizer.sep_id
        premise, hypothesis = (self.reader.tokenizer.ids(text) for text in ("Ana has the lamp.", "It is Ana."))
        self.assertEqual(first.ids, [cls_id, *premise, sep_id, *hypothesis, sep_id])
        self.assertEqual(len(second), LONGEST)
        self.assertEqual(second.ids[second.hypothesis_at :], [*self.reader.tokenizer.ids("map"), sep_id], "the hypothesis is whole")
        batch = batch_of([first, second])
        self.assertEqual(batch.types[0].tolist()[: len(first)], [0] * (len(premise) + 2) + [1] * (len(hypothesis) + 1))
        self.assertEqual(batch.mask.sum(1).tolist(), [len(first), LONGEST])

    def test_held_out_premises_are_not_trained_on(self):
        trained = {tuple(pair.ids[1 : pair.hypothesis_at - 1]) for pair in self.reader.trained_on(random.Random(0))}
        held_out = self.reader.tuned_on()
        self.assertTrue(held_out)
        self.assertFalse(trained & {tuple(pair.ids[1 : pair.hypothesis_at - 1]) for pair in held_out})
        self.assertTrue(all(is_held_out(row[1]) for row in self.reader.read(self.reader.paths[0], held_out=True)))

    def test_every_pair_comes_once_a_pass(self):
        pairs = [Pair([1] * length, 1, 0) for length in random.Random(0).choices(range(5, 60), k=300)]
        made = list(batches(pairs, 512, random.Random(1)))
        self.assertEqual(sorted(len(pair) for batch in made for pair in batch), sorted(map(len, pairs)))
        self.assertLessEqual(max(batch_of(batch).ids.numel() for batch in made), 512)

    def test_padding_changes_nothing(self):
        network = untrained(self.backbone).eval()
        short, long = self.reader.pairs([(0, "Ana has it.", "Ben has it."), (0, "Ben gave it to Ana at the school.", "Ana has it.")])
        with torch.inference_mode():
            together, alone = logits_of(network, batch_of([short, long])), logits_of(network, batch_of([short]))
        torch.testing.assert_close(together[:1], alone, atol=0.03, rtol=0)  # bf16

    def test_two_way_labels_count_neutral_and_contradiction_alike(self):
        pairs = [Pair([1] * 5, 3, NOT_ENTAILMENT)] * 3
        found = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]])
        self.assertAlmostEqual(accuracy(lambda batch: found, pairs), 2 / 3)

    def test_the_folder_is_in_hub_layout(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        made = {str(path.relative_to(self.out)) for path in self.out.rglob("*") if path.is_file()}
        self.assertEqual(
            made, {"README.md", "config.json", "tokenizer.json", "model.safetensors", "onnx/model.onnx", "onnx/model_quantized.onnx"}
        )
        config = json.loads((self.out / "config.json").read_text("utf-8"))
        self.assertEqual(config["label2id"], {"entailment": 0, "neutral": 1, "contradiction": 2})
        self.assertEqual((config["model_type"], config["max_position_embeddings"], config["type_vocab_size"]), ("bert", 512, 2))
        self.assertFalse(list(self.out.parent.glob("*.unfinished")))

    def test_its_tokenizer_and_graphs_read_what_training_read(self):
        premise, hypothesis = "Ana carried the lamp to the school.", "Ben has the lamp."
        [pair] = self.reader.pairs([(0, premise, hypothesis)])
        tokenizer = Tokenizer.from_file(str(self.out / "tokenizer.json"))
        self.assertEqual(tokenizer.encode(premise, add_special_tokens=False).ids, pair.ids[1 : pair.hypothesis_at - 1])
        batch = batch_of([pair])
        given = dict(zip(INPUTS, (batch.ids.numpy(), batch.mask.long().numpy(), batch.types.numpy()), strict=True))
        logits = []
        for name in ("model", "model_quantized"):
            session = onnxruntime.InferenceSession(str(self.out / "onnx" / f"{name}.onnx"), providers=["CPUExecutionProvider"])
            logits.append(session.run(None, given)[0])
        self.assertEqual(logits[0].shape, (1, 3))
        self.assertLess(np.abs(logits[0] - logits[1]).max(), 0.3)
        self.assertGreater(np.abs(logits[0] - logits[1]).max(), 0, "int8 must differ from fp32 somewhere")


if __name__ == "__main__":
    unittest.main()
