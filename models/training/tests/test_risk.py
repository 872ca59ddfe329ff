import unittest

import numpy as np

from umpire_recipe.calibrate.risk import FEWEST, MOST_POINTS, points_of, risk_curves
from umpire_recipe.calibrate.temperatures import Scored
from umpire_recipe.evaluate.tuning import Labelled
from umpire_recipe.export.manifest import NO_CALIBRATION


def scored(kind: str, count: int, answers: int, chance: np.random.Generator) -> list[Scored]:
    return [Scored(Labelled("", {"type": kind}, ""), chance.normal(size=count) * 3, int(chance.integers(count))) for _ in range(answers)]


class Risk(unittest.TestCase):
    def test_each_point_counts_the_answers_that_are_at_least_that_sure(self):
        chance = np.random.default_rng(0)
        answers = [(4, float(p), float(chance.random() < p)) for p in chance.uniform(0.25, 1, 2000)]
        points = points_of(answers)
        self.assertLessEqual(len(points), MOST_POINTS)
        self.assertGreater(len(points), MOST_POINTS - 5)
        stated = {round(p, 6) for _, p, _ in answers}
        for point in points:
            self.assertIn(point["probability"], stated, "a probability that occurred")
            surer = [right for _, p, right in answers if round(p, 6) >= point["probability"]]
            self.assertEqual([point["answers"], point["errors"]], [len(surer), len(surer) - sum(surer)])
        self.assertEqual(points[-1]["answers"], 2000, "the last point counts all")
        steps = np.diff([0, *(point["answers"] for point in points)])
        self.assertLess(max(steps[1:10]), min(steps[-10:]), "finer at the sure end")

    def test_probabilities_fall_and_numbers_of_answers_rise(self):
        chance = np.random.default_rng(1)
        answers = [(2, float(p), 1.0) for p in chance.choice([0.5, 0.7, 0.75, 0.9, 1.0], 500)]
        points = points_of(answers)
        self.assertEqual([point["probability"] for point in points], [1.0, 0.9, 0.75, 0.7, 0.5], "equally sure answers stay together")
        self.assertTrue(all(np.diff([point["answers"] for point in points]) > 0))

    def test_the_first_point_counts_enough_to_say_something(self):
        answers = [(2, 0.5 + i / 1000, 1.0) for i in range(400)]
        self.assertEqual(points_of(answers)[0]["answers"], FEWEST)
        self.assertEqual([point["answers"] for point in points_of(answers[:3])], [3], "fewer answers than that are one point")
        self.assertEqual([point["answers"] for point in points_of(answers[:1])], [1])

    def test_every_type_has_counts_and_a_choice_counts_once_in_each_bucket(self):
        chance = np.random.default_rng(2)
        every = [*scored("choice", 8, 60, chance), *scored("noul", 2, 50, chance), *scored("score", 3, 40, chance)]
        curves = risk_curves(every, NO_CALIBRATION)
        counts = {kind: {curve["maxOptions"]: curve["points"][-1]["answers"] for curve in of} for kind, of in curves.items()}
        self.assertEqual(counts, {"choice": {2: 60, 5: 60, 10: 60}, "noul": {2: 50}, "score": {10: 40}})
        self.assertEqual(curves, risk_curves(every, NO_CALIBRATION), "the same every time")

    def test_the_surer_side_of_a_yes_or_no_counts(self):
        labelled = Labelled("", {"type": "noul"}, "")
        sure_of_no = Scored(labelled, np.array([0.0, 3.0]), 1)
        (curve,) = risk_curves([sure_of_no], NO_CALIBRATION)["noul"]
        self.assertEqual(curve["points"], [{"probability": 0.952574, "answers": 1, "errors": 0}])


if __name__ == "__main__":
    unittest.main()
