import argparse
import random
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import save_file

from tests.random_checkpoint import write_checkpoint
from tests.random_pack import write_pack
from umpire_recipe.answering.reference import Packed, Reference
from umpire_recipe.answering.session import PackSession
from umpire_recipe.backbone.folder import own_backbone
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.export.weights import named_tensors, quantise
from umpire_recipe.prepare.asked import CHOICE, NLI, NOUL, Asked, Group
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.reading.windows import Segments
from umpire_recipe.train.batches import Mix
from umpire_recipe.train.loss import entailment_scores, losses, nli_loss
from umpire_recipe.train.network import Network, loaded, untrained
from umpire_recipe.train.rounding import gelu_rows, rows, weight
from umpire_recipe.train.run import Run
from umpire_recipe.train.schedule import learning_rate

GROUPS = [
    Group(
        "The parcel came on Monday. " * 12,
        [Asked(CHOICE, "When did it come?", ["Monday", "Tuesday evening", "never"], 0), Asked(NOUL, "Is it lost?", ["yes", "no"], 1)],
        "x",
        40,
        4,
    ),
    Group(
        "Two lamps.", [Asked(NLI, "", ["There are lamps.", "There is no lamp."], labels=[0, 2]), Asked(CHOICE, "", ["one", "two"], 1)], "x"
    ),
]


class Training(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        folder = Path(cls.folder.name)
        write_checkpoint(folder / "small.safetensors")
        cls.checkpoint, cls.tokenizer = folder / "small.safetensors", TextTokenizer(own_backbone().tokenizer_json)
        packer = Packer(cls.tokenizer)
        for group in GROUPS:
            packer.add(group)
        cls.mix = Mix(packer.arrays())

    def logits(self, network: Network, groups: list[int]) -> np.ndarray:
        batch = self.mix.batch(groups)
        with torch.inference_mode():
            return network(batch.ids, batch.positions, batch.types, batch.mask, batch.starts).numpy()

    def test_the_training_form_reads_as_the_reference_does(self):
        """One packed sequence for all questions of two states of different lengths, compared with each question alone."""
        segments = Segments(self.tokenizer.cls_id, self.tokenizer.sep_id)
        network, reference = (
            loaded(self.checkpoint),
            Reference(named_tensors(str(self.checkpoint)), read_settings(self.checkpoint), segments),
        )
        found = self.logits(network, [0, 1])
        expected = []
        for number, group in enumerate(GROUPS):
            at = slice(*self.mix.group_windows_at[number : number + 2])
            state = [segments.segment(self.mix.segment(window).tolist()) for window in self.mix.windows[at]]
            for asked in group.asked:
                expected.append(
                    reference.logits(
                        Packed(segments, state, self.tokenizer.ids(asked.instructions), [self.tokenizer.ids(one) for one in asked.options])
                    ).numpy()
                )
        self.assertEqual(len(self.mix.windows), 5)  # the first state is read in four
        np.testing.assert_allclose(found, np.concatenate(expected), atol=1e-4)
        self.assertGreater(np.ptp(found), 0.1)

    def test_a_batch_changes_nothing(self):
        network = loaded(self.checkpoint)
        np.testing.assert_allclose(self.logits(network, [0, 1])[:5], self.logits(network, [0]), atol=1e-5)

    def test_rounding_in_training_is_the_rounding_of_export(self):
        matrix = torch.randn(6, 32)
        stored = quantise(matrix.numpy().T.copy(), axis=1)
        np.testing.assert_allclose(weight(matrix).numpy(), (stored.values * stored.scales).T, atol=1e-6)
        x = torch.nn.functional.gelu(torch.randn(5, 5000) * 3)
        for rounded, steps in ((rows(x), 128), (gelu_rows(x), 255)):  # symmetric rounding: outputs of GELU use the upper half
            for before, after in zip(x, rounded, strict=True):
                self.assertLessEqual(len(after.unique()), steps + 1)
                self.assertGreater(len(after.unique()), steps / 2)
                self.assertLess(float((before - after).abs().max()), float(before.abs().max()) / 100)

    def test_gradients_pass_through_rounding(self):
        x = torch.randn(3, 8, requires_grad=True)
        rows(x).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), np.ones((3, 8)))

    def test_rounded_training_form_is_close_to_the_int8_graph(self):
        pack = Path(self.folder.name) / "small"
        session = PackSession(pack, write_pack(pack, self.checkpoint), "int8")
        ids = self.tokenizer.ids
        asked = GROUPS[1].asked[1]
        measured = session.scores(session.read_state(ids(GROUPS[1].state)), [], [ids(option) for option in asked.options])
        network = loaded(self.checkpoint)
        plain = entailment_scores(torch.from_numpy(self.logits(network, [1]))).numpy()[2:]
        network.quantised = True
        rounded = entailment_scores(torch.from_numpy(self.logits(network, [1]))).numpy()[2:]
        self.assertLess(np.abs(rounded - measured).max(), 0.5 * np.abs(plain - measured).max() + 1e-3)

    def test_loss_falls_when_the_right_answers_rise(self):
        batch = self.mix.batch([0, 1])
        logits = torch.zeros(len(batch.labels), 3)
        before, _ = losses(logits, batch)
        better = logits.clone()
        for places, answer, kind in zip(batch.option_at, batch.answers, batch.kinds, strict=True):
            if kind == 3:
                for place in places[places >= 0]:
                    better[place, batch.labels[place]] = 3
            else:
                better[places[answer], 0] = 3
        after, said = losses(better, batch)
        self.assertLess(float(after), float(before))
        self.assertEqual(float(said["right"]), 3)

    def test_not_entailed_is_neutral_or_contradiction(self):
        logits = torch.tensor([[0.2, 1.0, -0.5]])
        p = torch.softmax(logits, -1)[0]
        self.assertAlmostEqual(float(nli_loss(logits, torch.tensor([3]))), -float(torch.log(p[1] + p[2])), places=5)
        self.assertAlmostEqual(float(nli_loss(logits, torch.tensor([1]))), -float(torch.log(p[1])), places=5)

    def test_every_group_comes_once_a_pass(self):
        packer = Packer(self.tokenizer)
        chance = random.Random(0)
        for i in range(200):
            packer.add(Group(f"Note {i} " * chance.randint(1, 30), [Asked(NOUL, "Is it?", ["yes", "no"], 0)], "x"))
        mix = Mix(packer.arrays())
        batches = list(mix.batches(np.random.default_rng(1), 512))
        self.assertEqual(sorted(index for batch in batches for index in batch), list(range(200)))
        self.assertLessEqual(max(mix.batch(batch).ids.numel() for batch in batches if len(batch) > 1), 512)

    def test_the_rate_warms_stays_and_falls(self):
        rates = [learning_rate(1, share, 0.5) for share in (0, 0.01, 0.02, 0.4, 0.5, 0.75, 1)]
        self.assertLess(rates[0], rates[1])
        self.assertEqual(rates[2:5], [1, 1, 1])
        self.assertLess(rates[5], 0.5)
        self.assertEqual(rates[6], 0)

    def test_dropout_changes_steps_of_training_and_nothing_else(self):
        network, plain = loaded(self.checkpoint), self.logits(loaded(self.checkpoint).eval(), [0, 1])
        network.dropout = 0.3
        np.testing.assert_array_equal(self.logits(network.eval(), [0, 1]), plain)
        self.assertGreater(np.abs(self.logits(network.train(), [0, 1]) - plain).max(), 1e-2)

    def test_a_run_that_was_stopped_ends_as_one_that_was_not(self):
        """Weights, their mean and the place in the mix."""

        def run(out: str) -> Run:
            folder = Path(self.folder.name) / out
            folder.mkdir(exist_ok=True)
            settings = {
                "out": folder,
                "init": self.checkpoint,
                "tokens": 0.01,
                "rate": 1e-3,
                "decay_from": 0.5,
                "quantise_from": 0.7,
                "mean": 0.9,
                "dropout": 0.0,
                "device": "cpu",
                "seed": 3,
            }
            return Run(argparse.Namespace(**settings, batch_tokens=256))

        batches = [self.mix.batch([number]) for number in (0, 1, 0, 1, 0, 1, 0, 1)]
        whole, half = run("whole"), run("halves")
        for batch in batches:
            whole.learn(batch, 0.05)
        for batch in batches[:4]:
            half.learn(batch, 0.05)
        half.save()
        again = run("halves")
        self.assertTrue(again.resume())
        for batch in batches[4:]:
            again.learn(batch, 0.05)
        self.assertEqual((again.step, again.tokens), (whole.step, whole.tokens))
        for one, other in ((whole.network.state_dict(), again.network.state_dict()), (whole.mean.tensors, again.mean.tensors)):
            for name in one:
                torch.testing.assert_close(one[name], other[name])

    def test_the_backbone_gets_a_third_token_type_and_three_outputs(self):
        network = untrained(own_backbone())
        self.assertEqual((len(network.layers), *network.word.weight.shape), (6, 30522, 384))
        self.assertEqual(tuple(network.head.weight.shape), (3, 384))
        torch.testing.assert_close(network.typ.weight[2], network.typ.weight[1])

    def test_a_checkpoint_comes_back_as_it_was(self):
        network = loaded(self.checkpoint)
        path = Path(self.folder.name) / "again.safetensors"
        save_file({name: tensor.half() for name, tensor in network.state_dict().items()}, str(path))
        for name, tensor in loaded(path).state_dict().items():
            torch.testing.assert_close(tensor, network.state_dict()[name])


if __name__ == "__main__":
    unittest.main()
