"""The graphs of a small random pack, compared with the plain reference and with one another."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

from tests.random_checkpoint import VOCABULARY, WIDTH, write_checkpoint
from tests.random_pack import write_pack
from umpire_recipe.answering.reference import Reference, pack_reference
from umpire_recipe.answering.session import OPTION, QUESTION, STATE, PackSession
from umpire_recipe.architecture import MASKED, Settings
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.export.smoothing import SMOOTHED
from umpire_recipe.export.weights import named_tensors
from umpire_recipe.reading.windows import segments_of

PRECISIONS = ("int8", "int8-wide", "fp32")


def in_one_run(window: list[int], question: list[int], options: list[list[int]]) -> dict[str, np.ndarray]:
    """What the graph is given to read a window, its question and some options at once."""
    segments = [window, question, *options]
    lengths = np.array([len(segment) for segment in segments])
    starts = np.cumsum([0, *lengths[:-1]])
    numbers = np.repeat(np.arange(len(segments)), lengths)
    seen = (numbers[:, None] == numbers) | (numbers <= 1)
    return {
        "input_ids": np.concatenate(segments).astype(np.int64),
        "positions": np.arange(len(numbers)) - starts[numbers] + np.where(numbers > 1, len(question), 0),
        "segment_types": np.minimum(numbers, OPTION),
        "first_tokens": starts[2:],
        "mask": np.where(seen, 0, MASKED)[None, None, len(window) :].astype(np.float32),
        "questions": np.zeros((1, 6), np.int64),
    }


def several_in_one_run(runs: list[dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
    """What the graph is given to read several questions at once, from what it is given to read each."""
    tokens, firsts, masks = (np.cumsum([0, *(run[name].size for run in runs)]) for name in ("input_ids", "first_tokens", "mask"))
    joined = {name: np.concatenate([run[name] for run in runs]) for name in ("input_ids", "positions", "segment_types")}
    return joined | {
        "first_tokens": np.concatenate([run["first_tokens"] + start for run, start in zip(runs, tokens, strict=False)]),
        "mask": np.concatenate([run["mask"].reshape(-1) for run in runs])[None, None, None],
        "questions": np.stack([edge for ends in (tokens, firsts, masks) for edge in (ends[:-1], ends[1:])], axis=1),
    }


class Graphs(unittest.TestCase):
    smoothed = False
    settings: Settings | None = None

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        at = Path(cls.folder.name)
        write_checkpoint(at / "random.safetensors", settings=cls.settings)
        tensors = named_tensors(str(at / "random.safetensors"))
        uneven = 10 ** np.random.default_rng(4).uniform(-1, 1, WIDTH)
        largest = {name.removesuffix(".weight"): uneven for name in tensors if name.removesuffix(".weight").endswith(SMOOTHED)}
        pack = at / "random"
        manifest = write_pack(pack, at / "random.safetensors", largest if cls.smoothed else None)
        cls.plain = Reference(tensors, read_settings(at / "random.safetensors"), segments_of(manifest))
        cls.sessions = {precision: PackSession(pack, manifest, precision) for precision in PRECISIONS}
        cls.reference, cls.manifest = pack_reference(pack, manifest), manifest

    def setUp(self):
        chance = np.random.default_rng(2)
        self.ids = lambda count: chance.integers(1000, VOCABULARY, count).tolist()

    def scores(self, network, state, instructions, options):
        return network.scores(network.read_state(state), instructions, options)

    def cases(self):
        """(state, instructions, options): one window and many, no state, no instructions, options of equal and different lengths."""
        yield self.ids(5), self.ids(4), [self.ids(3), self.ids(3)]
        yield self.ids(40), self.ids(9), [self.ids(1), self.ids(17), self.ids(6), []]
        yield self.ids(40), [], [self.ids(2), self.ids(5)]
        yield [], self.ids(3), [self.ids(2), self.ids(4)]
        yield [], [], [[], self.ids(1)]
        yield self.ids(1500), self.ids(12), [self.ids(4), self.ids(8), self.ids(2)]
        yield self.ids(20), self.ids(254), [self.ids(254), self.ids(1)]
        yield self.ids(30), self.ids(6), [self.ids(1 + i % 5) for i in range(255)]

    def test_fp32_equals_the_reference(self):
        for state, instructions, options in self.cases():
            with self.subTest(state=len(state), instructions=len(instructions), options=len(options)):
                expected = self.scores(self.reference, state, instructions, options)
                np.testing.assert_allclose(self.scores(self.sessions["fp32"], state, instructions, options), expected, atol=2e-5)

    def test_the_reference_is_the_checkpoint_but_for_rounded_weights(self):
        for state, instructions, options in self.cases():
            restored, plain = (self.scores(network, state, instructions, options) for network in (self.reference, self.plain))
            self.assertLess(np.abs(restored - plain).mean(), 0.1)

    def test_int8_is_near_the_reference_and_the_same_in_both_forms(self):
        for state, instructions, options in self.cases():
            with self.subTest(state=len(state), instructions=len(instructions), options=len(options)):
                narrow = self.scores(self.sessions["int8"], state, instructions, options)
                wide = self.scores(self.sessions["int8-wide"], state, instructions, options)
                np.testing.assert_array_equal(narrow, wide)
                expected = self.scores(self.reference, state, instructions, options)
                self.assertLess(np.abs(narrow - expected).mean(), 0.1)
                self.assertGreater(np.abs(narrow - expected).max(), 0, "int8 arithmetic must differ from fp32 somewhere")

    def test_a_window_and_its_question_in_one_run_give_the_numbers_of_two(self):
        for state, instructions, options in self.cases():
            segments = self.sessions["int8"].segments
            [window, *others] = segments.windows(state)
            if others:
                continue
            question = segments.segment(instructions) if instructions else []
            asked = [segments.segment(option) for option in options[:5]]
            for precision, session in self.sessions.items():
                with self.subTest(state=len(state), instructions=len(instructions), precision=precision):
                    read = session.run(window, [], session.nothing, STATE)[1]
                    expected = session.run(question, asked, read, QUESTION)[0]
                    logits, *present = session.session.run(session.outputs, in_one_run(window, question, asked) | session.nothing)
                    np.testing.assert_array_equal(logits, expected)
                    for tensor, of_window in zip(present, read.values(), strict=True):
                        np.testing.assert_array_equal(tensor[:, :, : len(window)], of_window)

    def test_several_questions_in_one_run_give_the_numbers_of_as_many_runs(self):
        cases = [  # tokens of the state; of each question's instructions and options
            (0, [(4, [3, 2]), (9, [5])]),
            (40, [(6, [1, 17, 6, 2]), (0, [2, 5]), (3, [1]), (3, [1])]),
            (900, [(12, [4, 8])] * 9),
        ]
        for precision, session in self.sessions.items():
            segment = session.segments.segment
            for state, sizes in cases:
                with self.subTest(precision=precision, state=state):
                    read = session.read_state(self.ids(state))
                    asked = [
                        (segment(self.ids(instructions)) if instructions else [], [segment(self.ids(option)) for option in options])
                        for instructions, options in sizes
                    ]
                    expected = [session.run(question, options, read, QUESTION)[0] for question, options in asked]
                    alone = [session.feeds(question, options, read, QUESTION) for question, options in asked]
                    [logits] = session.session.run(["logits"], several_in_one_run(alone) | read)
                    np.testing.assert_array_equal(logits, np.concatenate(expected, axis=1))

    def test_an_option_does_not_depend_on_its_neighbours(self):
        state, instructions, options = self.ids(30), self.ids(6), [self.ids(n) for n in (2, 11, 5, 1)]
        for precision, session in self.sessions.items():
            memory = session.read_state(state)
            together = session.scores(memory, instructions, options)
            alone = [session.scores(memory, instructions, [option])[0] for option in options]
            np.testing.assert_allclose(together, alone, atol=1e-5 if precision == "fp32" else 0.05, err_msg=precision)

    def test_the_order_of_windows_does_not_matter(self):
        session, state_windows = self.sessions["fp32"], [[101, *self.ids(20), 102] for _ in range(3)]
        scores = []
        for order in (state_windows, state_windows[::-1]):
            scores.append(session.scores(session.read_windows(order), [2054, 2003], [[2748], [2053]]))
        np.testing.assert_allclose(*scores, atol=1e-5)


class SmoothedGraphs(Graphs):
    """The same for a pack with smoothed products."""

    smoothed = True


class GraphsOfAnotherBackbone(Graphs):
    """The same for heads of another size and another epsilon."""

    settings = Settings(4, 1e-3)

    def test_the_pack_has_the_settings_of_the_checkpoint(self):
        self.assertEqual((self.reference.settings.heads, round(self.reference.settings.epsilon, 6)), (4, 1e-3))
        self.assertEqual((self.manifest["network"]["heads"], self.manifest["network"]["headSize"]), (4, WIDTH // 4))


if __name__ == "__main__":
    unittest.main()
