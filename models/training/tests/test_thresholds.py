import random
import unittest

import numpy as np

from umpire_recipe.calibrate.asked_of_many import Asked
from umpire_recipe.calibrate.thresholds import Answered, answer_threshold, answers_of, binomial, by_rate, fewest, question_threshold
from umpire_recipe.export.manifest import NO_CALIBRATION

ALL_RIGHT = [{"probability": 0.5, "answers": 1000, "errors": 0}]


def question(p: list[float], wrong: list[int]) -> Answered:
    return Answered("a set", "noul, yes", np.array(p), np.array(wrong))


class Thresholds(unittest.TestCase):
    def test_the_bound_is_the_binomial_one(self):
        self.assertEqual(fewest(0.1), 22)  # .9 ** 22 = .0985, .9 ** 21 = .109
        self.assertAlmostEqual(binomial(1, 38, 0.1), 0.9**38 + 38 * 0.1 * 0.9**37, 12)

    def test_questions_that_are_always_right_can_be_acted_on_as_far_down_as_they_are_sure(self):
        sure = question([0.95] * 10 + [0.7] * 10, [0] * 20)
        self.assertEqual(question_threshold([sure] * 44, 0.1), 0.51)
        self.assertIsNone(question_threshold([sure] * 43, 0.1), "too few questions")

    def test_a_threshold_ends_where_too_many_questions_break_the_rate(self):
        mixed = question([0.95] * 10 + [0.7] * 10, [0] * 10 + [1] * 10)
        good = question([0.95] * 10 + [0.7] * 10, [0] * 20)
        self.assertEqual(question_threshold([mixed] * 60, 0.1), 0.71)
        # With 60 questions, P(Binomial(60, .1) <= b) is .053 for b = 2 and .137 for b = 3.
        self.assertEqual(question_threshold([mixed] * 2 + [good] * 58, 0.1), 0.51)
        self.assertEqual(question_threshold([mixed] * 3 + [good] * 57, 0.1), 0.71)

    def test_a_question_without_a_sure_answer_promises_nothing(self):
        sure, unsure = question([0.95] * 9, [0] * 9), question([0.4] * 9, [1] * 9)
        self.assertEqual(question_threshold([sure] * 44 + [unsure] * 50, 0.1), 0.51)
        self.assertIsNone(question_threshold([sure] * 43 + [unsure] * 50, 0.1))

    def test_the_answers_of_all_questions_together_must_keep_the_rate(self):
        one = question([0.95], [0])
        self.assertIsNone(question_threshold([one] * 44, 0.05), "it takes 45 right answers")
        self.assertEqual(question_threshold([one] * 45, 0.05), 0.51)

    def test_all_answers_together_must_keep_the_rate_too(self):
        sure = question([0.95] * 20, [0] * 20)
        points = [{"probability": 0.9, "answers": 400, "errors": 4}, {"probability": 0.6, "answers": 800, "errors": 200}]
        self.assertEqual(answer_threshold(points, 0.1), 0.9)
        self.assertEqual(
            by_rate([sure] * 50, points), [{"maxErrorRate": 0.05, "probability": 0.9}, {"maxErrorRate": 0.3, "probability": 0.6}]
        )

    def test_a_higher_rate_is_never_promised_from_a_higher_probability_on_and_rates_that_gain_nothing_are_left_out(self):
        found = by_rate([question([0.95] * 10 + [0.7] * 10, [0] * 10 + [1] * 10)] * 60, ALL_RIGHT)
        self.assertEqual(found, [{"maxErrorRate": 0.05, "probability": 0.71}])

    def test_a_noul_is_counted_by_its_answer(self):
        asked = Asked("a set", {"type": "noul", "instructions": "Is it red?"}, ["red"], ["a", "b", "c"], ["red", "blue", "red"])
        yes, no = answers_of(asked, np.array([[3.0, 0.0], [2.0, 0.0], [0.0, 1.0]]), NO_CALIBRATION, random.Random(0))
        self.assertEqual([yes.group, no.group], ["noul, yes", "noul, no"])
        self.assertEqual([yes.wrong.tolist(), no.wrong.tolist()], [[0, 1], [1]])
        self.assertTrue(np.all(np.concatenate([yes.p, no.p]) >= 0.5))

    def test_a_choice_is_also_counted_among_fewer_of_its_options_by_the_texts_that_have_them(self):
        labels = ["a", "b", "c", "d"]
        asked = Asked("a set", {"type": "choice", "instructions": "Which?"}, labels, labels, labels)
        every = list(answers_of(asked, 4 * np.eye(4), NO_CALIBRATION, random.Random(0)))
        self.assertEqual([one.group for one in every], ["choice, up to 5"] + ["choice, up to 2"] * 4 + ["choice, up to 5"] * 4)
        self.assertEqual([len(one.p) for one in every[:5]], [4, 2, 2, 2, 2])
        self.assertTrue(all(not one.wrong.any() for one in every))


if __name__ == "__main__":
    unittest.main()
