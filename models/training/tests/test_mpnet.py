"""A backbone of MPNet's kind with random weights, from its folder to a pack."""

import argparse
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from tests.random_backbone import MPNETS, mpnet_configuration, tokenizer_settings, weights, write_backbone
from umpire_recipe.answering.decider import Decider
from umpire_recipe.answering.reference import Packed, Reference, pack_reference
from umpire_recipe.answering.session import PackSession
from umpire_recipe.backbone.folder import open_backbone
from umpire_recipe.backbone.refused import BackboneRefused
from umpire_recipe.backbone.start import changed, is_difference, starting_tensors
from umpire_recipe.checkpoint import read_settings, write_checkpoint
from umpire_recipe.export.manifest import NO_CALIBRATION, manifest_of
from umpire_recipe.export.pack import write_files
from umpire_recipe.export.smoothing import largest_inputs
from umpire_recipe.export.weights import named_tensors, quantised_weights
from umpire_recipe.prepare.asked import CHOICE, NOUL, Asked, Group
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.reading.windows import Segments
from umpire_recipe.train.batches import Mix
from umpire_recipe.train.loss import entailment_scores
from umpire_recipe.train.network import loaded, network_of, untrained
from umpire_recipe.train.run import Run

CONFIG = mpnet_configuration(3, 64, 4)
GROUPS = [
    Group(
        "Ana carried the lamp to the school. " * 12,
        [Asked(CHOICE, "Who has the lamp?", ["Ana", "Ben, the other one", "nobody"], 0), Asked(NOUL, "Is it lost?", ["yes", "no"], 1)],
        "x",
        40,
        4,
    ),
    Group("Two lamps.", [Asked(CHOICE, "", ["one", "two"], 1)], "x"),
]


class MPNet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.at = Path(folder.name)
        cls.backbone = open_backbone(write_backbone(cls.at / "encoder", CONFIG))
        cls.tokenizer = TextTokenizer(cls.backbone.tokenizer_json)
        torch.manual_seed(0)
        cls.tensors = starting_tensors(cls.backbone)
        # As if trained: answers of the backbone's own weights are all alike.
        cls.tensors["pool.weight"] += 0.05 * torch.randn(64, 64)
        cls.tensors["head.weight"] = torch.randn(3, 64)
        cls.tensors["typ.weight"] = torch.randn(3, 64) * 0.3
        cls.checkpoint = cls.at / "random.safetensors"
        write_checkpoint(cls.checkpoint, cls.tensors, cls.backbone.settings)
        packer = Packer(cls.tokenizer)
        for group in GROUPS:
            packer.add(group)
        cls.mix = Mix(packer.arrays())

    def logits(self, network) -> np.ndarray:
        batch = self.mix.batch([0, 1])
        with torch.inference_mode():
            return network(batch.ids, batch.positions, batch.types, batch.mask, batch.starts).numpy()

    def test_weights_are_those_of_the_folder(self):
        hub, network = weights(CONFIG), untrained(self.backbone)
        np.testing.assert_array_equal(network.rel.weight.numpy(), hub["encoder.relative_attention_bias.weight"])
        np.testing.assert_array_equal(network.pos.weight.detach().numpy(), hub["embeddings.position_embeddings.weight"][2:])
        np.testing.assert_array_equal(network.layers[2].qkv.bias[64:128].detach().numpy(), hub["encoder.layer.2.attention.attn.k.bias"])
        np.testing.assert_array_equal(network.layers[1].o.weight.detach().numpy(), hub["encoder.layer.1.attention.attn.o.weight"])
        self.assertEqual((network.n.eps, network.layers[0].heads, network.settings.furthest), (1e-5, 4, 128))

    def test_the_tokenizer_has_its_own_special_tokens_and_reads_them_as_text(self):
        vocabulary = tokenizer_settings(True, MPNETS)["model"]["vocab"]
        self.assertEqual((vocabulary["<s>"], vocabulary["<pad>"], vocabulary["</s>"]), (0, 1, 2))
        self.assertEqual((self.tokenizer.cls_id, self.tokenizer.sep_id), (0, 2))
        ids = self.tokenizer.ids("<s> a </s> b <pad> [SEP] \u4e2d")
        self.assertFalse(set(range(3)) & set(ids))
        self.assertNotIn(vocabulary["[SEP]"], ids)
        self.assertEqual(ids[-1], vocabulary["[UNK]"])

    def test_folders_that_are_refused(self):
        for change, said in (
            ({"relative_attention_num_buckets": 30}, "It has 30 buckets of distances"),
            ({"relative_attention_num_buckets": None}, "relative_attention_num_buckets in config.json is not a whole number"),
            ({"max_position_embeddings": 385}, "It has 383 positions: a window of a state takes 384."),
            ({"intermediate_size": 100}, "but config.json promises (100, 64)"),
        ):
            (self.at / "encoder" / "config.json").write_text(json.dumps(CONFIG | change), "utf-8")
            with self.subTest(said), self.assertRaises(BackboneRefused) as raised:
                open_backbone(self.at / "encoder")
            self.assertIn(said, str(raised.exception))
        (self.at / "encoder" / "config.json").write_text(json.dumps(CONFIG), "utf-8")

    def test_the_training_form_reads_as_the_reference_does(self):
        segments = Segments(self.tokenizer.cls_id, self.tokenizer.sep_id)
        reference = Reference(named_tensors(str(self.checkpoint)), read_settings(self.checkpoint), segments)
        expected, ids = [], self.tokenizer.ids
        for number, group in enumerate(GROUPS):
            at = slice(*self.mix.group_windows_at[number : number + 2])
            state = [segments.segment(self.mix.segment(window).tolist()) for window in self.mix.windows[at]]
            for asked in group.asked:
                packed = Packed(segments, state, ids(asked.instructions), [ids(one) for one in asked.options])
                expected.append(reference.logits(packed).numpy())
        self.assertGreater(len(self.mix.windows), 3)
        found = self.logits(loaded(self.checkpoint))
        np.testing.assert_allclose(found, np.concatenate(expected), atol=1e-4)
        self.assertGreater(np.ptp(found), 0.1)

    def test_a_run_learns_and_leaves_the_bias_of_distances(self):
        out = self.at / "run"
        out.mkdir()
        settings = {"out": out, "init": self.checkpoint, "tokens": 0.001, "rate": 1e-3, "decay_from": 0.5, "quantise_from": 0.3}
        run = Run(argparse.Namespace(**settings, mean=0.9, dropout=0.1, device="cpu", seed=3, batch_tokens=256))
        for _ in range(8):
            run.learn(self.mix.batch([0, 1]), 0.05)
        self.assertTrue(run.network.quantised)
        run.publish("model.safetensors")
        again = loaded(out / "model.safetensors")
        self.assertEqual(again.settings, self.backbone.settings)
        torch.testing.assert_close(again.rel.weight, loaded(self.checkpoint).rel.weight, rtol=0, atol=0)
        moved = again.layers[0].f1.weight - loaded(self.checkpoint).layers[0].f1.weight
        self.assertGreater(float(moved.detach().abs().max()), 1e-4)

    def test_a_run_starts_from_differences_from_the_backbone(self):
        start, chance = {name: tensor for name, tensor in starting_tensors(self.backbone).items()}, torch.Generator().manual_seed(1)
        change = torch.randint(-127, 128, (516, 64), generator=chance, dtype=torch.int8)  # of two more positions than there are
        scales = torch.rand(516, generator=chance) / 100
        head = torch.randn(3, 64, generator=chance)
        path = self.at / "difference.safetensors"
        save_file({"pos.weight.q": change[:514].clone(), "pos.weight.s": scales[:514].clone(), "head.weight": head.half()}, str(path))
        self.assertEqual((is_difference(path), is_difference(self.checkpoint)), (True, False))
        run = Run(
            argparse.Namespace(out=self.at, init=path, backbone=self.backbone, rate=1e-3, mean=0.9, dropout=0.0, device="cpu", seed=0)
        )
        expected = start["pos.weight"] + change[2:514].float() * scales[2:514, None]
        torch.testing.assert_close(run.network.pos.weight.detach(), expected)
        torch.testing.assert_close(run.network.head.weight.detach(), head.half().float())
        torch.testing.assert_close(run.network.word.weight.detach(), start["word.weight"], rtol=0, atol=0)
        save_file({"n.weight": torch.ones(3), "pos.weight.q": change, "pos.weight.s": scales}, str(path))
        with self.assertRaisesRegex(BackboneRefused, "in difference.safetensors has another shape"):
            changed(start, path)

    def test_a_pack_answers_as_the_network_does_in_all_arithmetics(self):
        tensors, settings = named_tensors(str(self.checkpoint)), read_settings(self.checkpoint)
        made = quantised_weights(tensors, settings, largest_inputs(tensors, settings, self.tokenizer))
        pack = self.at / "pack"
        write_files(pack, made, self.backbone.tokenizer_json, "# random\n")
        facts = {"description": "", "releaseDate": "2026-01-01", "licence": ""}
        manifest = manifest_of("random", facts, made, self.tokenizer, NO_CALIBRATION)
        self.assertEqual(manifest["network"]["positions"], 512)
        self.assertEqual((manifest["tokenizer"]["clsId"], manifest["tokenizer"]["sepId"]), (0, 2))

        # The way of training, rounded and not, with one question of one window.
        asked, ids = GROUPS[1].asked[0], self.tokenizer.ids
        read = ids(GROUPS[1].state), ids(asked.instructions), [ids(option) for option in asked.options]

        def scores(network) -> np.ndarray:
            return network.scores(network.read_state(read[0]), *read[1:])

        def trained(quantised: bool) -> np.ndarray:
            network = network_of(self.tensors, settings)
            network.quantised = quantised
            return entailment_scores(torch.from_numpy(self.logits(network))).numpy()[-2:]

        reference = scores(pack_reference(pack, manifest))
        for precision, apart in (("fp32", 2e-5), ("webgpu-fp32", 2e-5), ("webgpu-fp16", 0.03)):
            np.testing.assert_allclose(scores(PackSession(pack, manifest, precision)), reference, atol=apart)
        int8 = scores(PackSession(pack, manifest, "int8"))
        self.assertLess(np.abs(trained(True) - int8).max(), 0.5 * np.abs(trained(False) - int8).max() + 0.02)

        request = {"type": "choice", "instructions": "Who has the lamp?", "criteria": {"Ana": None, "Ben": "the other one"}}
        stated = [
            Decider(pack, manifest, network).decide("Ana has it.", {"q": request})["q"].probabilities
            for network in (pack_reference(pack, manifest), PackSession(pack, manifest, "fp32"))
        ]
        np.testing.assert_allclose(*stated, atol=1e-5)


if __name__ == "__main__":
    unittest.main()
