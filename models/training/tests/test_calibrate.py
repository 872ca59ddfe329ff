import unittest
from itertools import pairwise

import numpy as np

from umpire_recipe.answering.probabilities import confidence, probabilities
from umpire_recipe.calibrate.fit import fitted, negative_log_likelihood
from umpire_recipe.calibrate.isotonic import curve, isotonic
from umpire_recipe.evaluate.figures import accuracy_at, calibration_error, macro_f1


class Calibrate(unittest.TestCase):
    def test_isotonic_pools_falling_values(self):
        places, shares = isotonic(np.array([0.4, 0.1, 0.2, 0.3]), np.array([1.0, 0.0, 1.0, 0.0]))
        self.assertEqual(places.tolist(), [0.1, 0.2, 0.3, 0.4])
        self.assertEqual(shares.tolist(), [0, 0.5, 0.5, 1])

    def test_a_curve_rises_and_follows_the_truth(self):
        chance = np.random.default_rng(0)
        sure = chance.random(20_000)
        points = curve(sure, (chance.random(20_000) < sure**2).astype(float))
        self.assertLessEqual(len(points), 12)
        for before, after in pairwise(points):
            self.assertGreater(after["confidence"], before["confidence"])
            self.assertGreaterEqual(after["accuracy"], before["accuracy"])
        for point in points:
            self.assertAlmostEqual(point["accuracy"], point["confidence"] ** 2, delta=0.05)

    def test_a_curve_has_no_two_points_at_one_place(self):
        self.assertEqual(len(curve(np.ones(50), np.ones(50))), 1)

    def test_the_temperature_that_made_the_scores_is_found(self):
        chance = np.random.default_rng(1)
        scores = chance.normal(size=(20_000, 4)) * 2
        chances = np.exp(scores / 2.5)
        chances /= chances.sum(1, keepdims=True)
        answers = np.array([chance.choice(4, p=p) for p in chances])

        def loss(temperature: float) -> float:
            raised = np.exp(scores / temperature)
            return negative_log_likelihood(list((raised / raised.sum(1, keepdims=True))[np.arange(20_000), answers]))

        self.assertAlmostEqual(fitted(loss), 2.5, delta=0.1)

    def test_confidence_is_as_the_api_defines_it(self):
        self.assertAlmostEqual(confidence("choice", np.array([0.7, 0.2, 0.1])), (0.7 - 1 / 3) / (2 / 3))
        self.assertAlmostEqual(confidence("score", np.array([0.1, 0.8, 0.1])), 1 - 0.2 / (2 / 3))
        self.assertEqual(confidence("score", np.array([0.5, 0.0, 0.5])), 0)
        self.assertEqual(confidence("noul", np.array([0.2, 0.8])), 0.8)

    def test_a_bias_moves_yes(self):
        calibration = {"noul": {"temperature": 2, "bias": 0.5}}
        self.assertAlmostEqual(float(probabilities("noul", np.array([1.0, 1.0]), calibration)[0]), 1 / (1 + np.exp(-0.5)))

    def test_figures_by_hand(self):
        stated, right = np.array([0.9, 0.8, 0.6, 0.5]), np.array([1.0, 0.0, 1.0, 0.0])
        self.assertAlmostEqual(calibration_error(stated, right), (0.1 + 0.8 + 0.4 + 0.5) / 4)
        self.assertEqual(accuracy_at(0.5, stated, right), 0.5)
        self.assertAlmostEqual(macro_f1(["a", "a", "b"], ["a", "b", "b"]), (2 / 3 + 2 / 3) / 2)


if __name__ == "__main__":
    unittest.main()
