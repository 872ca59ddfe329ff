"""Hand-written twins: pairs of rows that differ in the deciding fact."""

import json
import random
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tests.small_data import write
from umpire_recipe.evaluate.judged import figures_by_name, judged_question
from umpire_recipe.evaluate.tuning import hand_written
from umpire_recipe.prepare import decisions
from umpire_recipe.prepare.holdout import is_held_out

PAIRS = 300


class Twins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.data, lines = Path(folder.name), []
        for number in range(PAIRS):
            for place in ("shop", "bar"):
                asked = {"type": "choice", "instructions": "Where is it?", "criteria": {"shop": None, "bar": None}, "answer": place}
                same = {"type": "noul", "instructions": "Is it numbered?", "criteria": None, "answer": True}
                lines.append(
                    json.dumps({"domain": "d", "state": f"Number {number} is in the {place}.", "questions": {"q": asked, "r": same}})
                )
        write(cls.data / "decisions" / "train" / "authored-twins-places.jsonl.gz", lines)
        write(cls.data / "decisions" / "train" / "authored-others.jsonl.gz", lines[:1])

    def test_a_pair_is_on_one_side_of_the_tuning_split(self):
        trained = {group.state for group in decisions.groups(self.data, self.data, random.Random(0))}
        tuned = {one.state for one in hand_written(self.data, self.data)}
        self.assertFalse(trained & tuned)
        for number in range(PAIRS):
            first, second = (f"Number {number} is in the {place}." for place in ("shop", "bar"))
            self.assertEqual((first in tuned, second in tuned), (is_held_out(first), is_held_out(first)))
            self.assertEqual((first in trained, second in trained), (not is_held_out(first), not is_held_out(first)))
        self.assertGreater(len(tuned), 10)

    def test_they_can_be_read_more_often_than_other_questions(self):
        twins = decisions.groups(self.data, self.data, random.Random(0), twins_alone=True)
        self.assertEqual({group.source for group in twins}, {"decisions/authored-twins-places"})
        self.assertEqual(len(decisions.groups(self.data, self.data, random.Random(0))), len(twins) + 1)

    def test_the_figures_say_how_often_both_of_a_pair_are_right(self):
        labelled = [one for one in hand_written(self.data, self.data) if one.twin]
        judged = [judged_question(one)[1] for one in labelled]
        pairs = len(labelled) // 4

        def said(right: set[str]) -> dict:
            logits = []
            for one, way in zip(labelled, judged, strict=True):
                answer = way.keys.index(way.answer)
                shown = answer if any(place in str(one.state) for place in right) or one.question["type"] == "noul" else 1 - answer
                logits.append(np.array([[6.0 if k == shown else -6.0, 0, 0] for k in range(2)]))
            # A classification set must be there.
            set_answer = type(judged[0])(["cls/a"], ["x", "y"], "x")
            return figures_by_name([*judged, set_answer], [*logits, np.array([[6.0, 0, 0], [-6.0, 0, 0]])])

        for right, both, single in (({"shop", "bar"}, 1, 1), ({"shop"}, 0, 0.75)):
            figures = said(right)
            self.assertEqual(figures["decisions, both of two twins"], {"n": pairs, "accuracy": both})
            self.assertAlmostEqual(figures["decisions, twins"]["accuracy"], single)


if __name__ == "__main__":
    unittest.main()
