import random
import unittest

import numpy as np

from umpire_recipe.answering.probabilities import probabilities
from umpire_recipe.calibrate.accuracy import accuracy_curves, curves_of, with_fewer_options
from umpire_recipe.calibrate.fit import fitted, negative_log_likelihood
from umpire_recipe.calibrate.logistic import logistic
from umpire_recipe.calibrate.temperatures import Scored
from umpire_recipe.evaluate.figures import accuracy_at, calibration_error, macro_f1
from umpire_recipe.evaluate.tuning import Labelled
from umpire_recipe.export.manifest import NO_CALIBRATION


def share(curve: dict[str, float], p: float) -> float:
    return float(1 / (1 + np.exp(-curve["slope"] * np.log(p / (1 - p)) - curve["bias"])))


class Calibrate(unittest.TestCase):
    def test_the_line_that_made_the_answers_is_found(self):
        chance = np.random.default_rng(0)
        columns = np.column_stack([np.ones(50_000), chance.normal(size=50_000)])
        right = (chance.random(50_000) < 1 / (1 + np.exp(-columns @ [0.5, 1.5]))).astype(float)
        found = logistic(columns, right, np.zeros(2))
        self.assertAlmostEqual(found[0], 0.5, delta=0.05)
        self.assertAlmostEqual(found[1], 1.5, delta=0.05)
        self.assertLess(logistic(columns, right, np.array([0, 1e9]))[1], 0.01)

    def test_a_curve_follows_the_truth_of_its_number_of_options(self):
        chance = np.random.default_rng(0)
        few = [(2, p, float(chance.random() < p)) for p in chance.uniform(0.5, 1, 20_000)]
        many = [(20, p, float(chance.random() < p**2)) for p in chance.uniform(0.1, 1, 20_000)]
        two, more = curves_of([*few, *many], (2, 255))
        self.assertEqual([two["maxOptions"], more["maxOptions"]], [2, 255])
        for p in (0.5, 0.7, 0.9, 0.98):
            self.assertAlmostEqual(share(two, p), p, delta=0.02)
            self.assertAlmostEqual(share(more, p), p**2, delta=0.08)

    def test_few_answers_lean_on_the_others(self):
        chance = np.random.default_rng(0)
        enough = [(2, p, float(chance.random() < p)) for p in chance.uniform(0.5, 1, 5_000)]
        _, two_wrong = curves_of([*enough, (20, 0.9, 0.0), (20, 0.9, 0.0)], (2, 255))
        self.assertGreater(share(two_wrong, 0.9), 0.6)
        two, none = curves_of(enough, (2, 255))
        for p in (0.5, 0.9):
            self.assertAlmostEqual(share(none, p), share(two, p), delta=0.01)

    def test_the_curve_of_a_model_that_guesses_is_flat(self):
        chance = np.random.default_rng(0)
        (curve,) = curves_of([(2, p, float(chance.random() < 1.4 - p)) for p in chance.uniform(0.5, 1, 5_000)], (2,))
        self.assertGreater(curve["slope"], 0, "no curve falls")
        self.assertAlmostEqual(share(curve, 0.5), share(curve, 0.99), delta=0.01)

    def test_a_choice_is_asked_again_with_fewer_of_its_options(self):
        scores = np.array([0.5, 3.0, 1.0, 2.0, -1.0, 0.0, 4.0])
        asked = Scored(Labelled("", {"type": "choice"}, ""), scores, 1)
        again = list(with_fewer_options(asked, random.Random(0)))
        sizes = [len(kept) for kept, _ in again]
        self.assertEqual(sizes[0], 2)
        self.assertIn(sizes[1], (3, 4, 5))
        for kept, answer in again:
            self.assertEqual(kept[answer], 3.0)
            self.assertEqual([score for score in scores if score in kept], kept.tolist(), "in their order")

    def test_every_type_has_curves(self):
        chance, scored = np.random.default_rng(0), []
        for kind, count in (("choice", 4), ("noul", 2), ("score", 3)):
            for _ in range(50):
                scored.append(Scored(Labelled("", {"type": kind}, ""), chance.normal(size=count), int(chance.integers(count))))
        curves = accuracy_curves(scored, NO_CALIBRATION)
        most = {kind: [curve["maxOptions"] for curve in of] for kind, of in curves.items()}
        self.assertEqual(most, {"choice": [2, 5, 10, 30, 255], "noul": [2], "score": [10]})
        self.assertEqual(curves, accuracy_curves(scored, NO_CALIBRATION), "the same every time")

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
