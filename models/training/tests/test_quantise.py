import unittest

import numpy as np

from umpire_recipe.export.weights import quantise, smoothing


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

    def test_a_smoothed_product_is_the_same_and_loses_less_when_a_row_of_inputs_is_rounded(self):
        chance = np.random.default_rng(2)
        inputs = chance.standard_normal((20, 48)) * np.where(np.arange(48) % 16 == 3, 30, 1)
        matrix = chance.standard_normal((48, 64)).astype(np.float32)
        factors = smoothing(matrix, np.abs(inputs).max(axis=0))
        np.testing.assert_allclose((inputs * factors) @ (matrix / factors[:, None]), inputs @ matrix, atol=1e-3)

        def rounded(x):
            scales = np.abs(x).max(axis=1, keepdims=True) / 127
            return np.round(x / scales) * scales

        plain = np.abs(rounded(inputs) @ matrix - inputs @ matrix).mean()
        smoothed = np.abs(rounded(inputs * factors) @ (matrix / factors[:, None]) - inputs @ matrix).mean()
        self.assertLess(smoothed, plain / 2)


if __name__ == "__main__":
    unittest.main()
