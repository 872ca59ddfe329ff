"""The graphs of a small random pack with relative positions: all that holds for graphs without them, and on GPUs' graphs besides."""

import unittest
from pathlib import Path

import numpy as np

from tests import test_graph
from tests.random_checkpoint import BUCKETS
from umpire_recipe.answering.session import PackSession
from umpire_recipe.architecture import Settings, buckets_of_distances


class RelativeGraphs(test_graph.Graphs):
    settings = Settings(2, 1e-5, 128)

    def test_the_manifest_says_so(self):
        self.assertEqual(self.manifest["relativePositions"], {"buckets": BUCKETS, "furthest": 128})

    def test_the_pooler_is_as_in_the_checkpoint(self):
        np.testing.assert_array_equal(self.reference.tensors["pooler.weight"], self.plain.tensors["pooler.weight"])

    def test_distances_count_within_a_question_and_not_towards_the_state(self):
        state, instructions, options = self.ids(300), self.ids(40), [self.ids(20), self.ids(3)]
        with_bias = self.scores(self.reference, state, instructions, options)
        table = self.reference.tensors["distance_bias"]
        kept = table.clone()
        # The same bias for all tokens is none, and so is any towards the state alone.
        for change in (lambda: table.fill_(0), lambda: table.copy_(kept[15].expand_as(kept)), lambda: table[15].add_(1)):
            change()
            changed = self.scores(self.reference, state, instructions, options)
            table[:] = kept
            self.assertGreater(np.abs(changed - with_bias).max(), 0.01)

    def test_graphs_for_gpus_equal_the_reference(self):
        at = self.folder.name
        for precision, apart in (("webgpu-fp32", 2e-5), ("webgpu-fp16", 0.05)):
            session = PackSession(Path(at) / "random", self.manifest, precision)
            for state, instructions, options in self.cases():
                with self.subTest(precision=precision, state=len(state), instructions=len(instructions), options=len(options)):
                    expected = self.scores(self.reference, state, instructions, options)
                    np.testing.assert_allclose(self.scores(session, state, instructions, options), expected, atol=apart)


class Buckets(unittest.TestCase):
    def test_they_are_those_of_mpnet(self):
        """Some distances and their buckets, as the published model computes them."""
        buckets = buckets_of_distances(32, 128)
        known = {-128: 15, -127: 15, -91: 15, -90: 14, -64: 14, -63: 13, -16: 10, -15: 9, -8: 8, -7: 7, -1: 1, 0: 0, 1: 17, 8: 24, 128: 31}
        self.assertEqual({distance: int(buckets[distance + 128]) for distance in known}, known)
        self.assertEqual(len(buckets), 257)


if __name__ == "__main__":
    unittest.main()
