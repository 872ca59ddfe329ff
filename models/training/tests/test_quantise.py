import unittest

import numpy as np
import recipe  # noqa: F401
from weights import quantise


class Quantise(unittest.TestCase):
    def setUp(self):
        chance = np.random.default_rng(1)
        self.matrix = (chance.standard_normal((48, 64)) * 10.0 ** chance.uniform(-4, 2, 64)).astype(np.float32)

    def test_no_entry_is_further_off_than_half_a_step_of_its_column(self):
        stored = quantise(self.matrix, axis=1)
        restored = stored.values * stored.scales
        self.assertLessEqual(np.max(np.abs(restored - self.matrix) / stored.scales), 0.5 + 1e-4)
        np.testing.assert_allclose(stored.scales, np.abs(self.matrix).max(axis=0) / 127, rtol=1e-6)

    def test_a_scale_belongs_to_one_index_of_the_axis(self):
        stored = quantise(self.matrix, axis=0)
        self.assertEqual(stored.scales.shape, (48,))
        self.assertLessEqual(np.max(np.abs(stored.values * stored.scales[:, None] - self.matrix) / stored.scales[:, None]), 0.5 + 1e-4)

    def test_a_column_of_zeros_stays_zero(self):
        self.matrix[:, 5] = 0
        stored = quantise(self.matrix, axis=1)
        self.assertTrue(np.isfinite(stored.scales).all())
        self.assertFalse(stored.values[:, 5].any())


if __name__ == "__main__":
    unittest.main()
