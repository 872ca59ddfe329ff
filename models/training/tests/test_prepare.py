import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
from itertools import pairwise
from pathlib import Path

import numpy as np

from tests.small_data import SHARED_TEXT, write_small_data
from umpire_recipe.backbone.folder import own_backbone
from umpire_recipe.evaluate.tuning import hand_written, held_out_sets, hypotheses
from umpire_recipe.folders import AUTHORED, TRAINING
from umpire_recipe.prepare import classification, decisions, nli
from umpire_recipe.prepare.asked import CHOICE, NLI, NOUL, Asked, Group
from umpire_recipe.prepare.holdout import SETS, is_held_out
from umpire_recipe.prepare.long_states import hidden
from umpire_recipe.prepare.noise import KINDS
from umpire_recipe.prepare.packed import Packer, cut
from umpire_recipe.reading.tokenizer import TextTokenizer


class Prepare(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.data = write_small_data(Path(cls.folder.name) / "data")
        cls.own = Path(cls.folder.name)
        cls.tokenizer_file = Path(cls.folder.name) / "tokenizer.json"
        cls.tokenizer_file.write_bytes(own_backbone().tokenizer_json)

    def mix(self, seed: int = 0) -> list[Group]:
        chance = random.Random(seed)
        return [
            *nli.groups(self.data, 1, chance),
            *classification.groups(self.data, 60, chance),
            *decisions.groups(self.data, self.own, chance),
        ]

    def test_what_is_held_out_is_in_no_mix(self):
        states = {group.state for group in self.mix()}
        tuned = {one.state for one in hand_written(self.data, self.own)}
        self.assertGreater(len(tuned), 5)
        self.assertFalse(states & tuned)
        held_out = {one.state for one in held_out_sets(self.data)}
        self.assertIn(SHARED_TEXT, held_out)
        self.assertFalse(states & held_out)
        premises = {premise for rows in hypotheses(self.data).values() for _, premise, _ in rows}
        self.assertGreater(len(premises), 5)
        self.assertFalse(states & premises)
        self.assertFalse([state for state in states if is_held_out(state)])
        self.assertFalse({group.source for group in self.mix()} & {f"cls/{name}" for name in SETS})

    def test_our_own_questions_keep_their_answers_and_are_held_out_by_text(self):
        with tempfile.TemporaryDirectory() as folder:
            own = Path(folder) / "ours.jsonl"
            states = [f"The shop at number {i} is open." for i in range(200)]
            questions = [
                ["n", "Is it open?", None, 1],
                ["c", "What is it?", {"shop": None, "bar": None}, "shop"],
                ["s", "How large?", ["small", "large"], 1],
            ]
            own.write_text("".join(json.dumps({"state": state, "domain": "shops", "q": questions}) + "\n" for state in states), "utf-8")
            rows = [row for row in decisions.rows(self.data, Path(folder)) if row.source == "own/ours"]
            trained = {group.state for group in decisions.groups(self.data, Path(folder), random.Random(0))}
            tuned = {one.state for one in hand_written(self.data, Path(folder))}
        self.assertEqual([row.state for row in rows], states)
        self.assertEqual(
            [(question["type"], question["instructions"], question["answer"]) for question in rows[0].questions],
            [("noul", "Is it open?", True), ("choice", "What is it?", "shop"), ("score", "How large?", 1)],
        )
        for state in states:
            self.assertEqual(state in tuned, is_held_out(state))
            self.assertEqual(state in trained, not is_held_out(state))

    def test_a_label_set_is_held_out_as_a_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            sets = Path(folder) / "sets" / "ours.jsonl"
            sets.parent.mkdir()
            lines = [
                {
                    "domain": f"shop {i}",
                    "i": ["What is wanted?", ""],
                    "c": {"money": None, "help": "wants advice"},
                    "n": ["Is it urgent?"],
                    "rows": [[f"Pay me {i}!", "money", [1]], [f"How does number {i} work?", "help", [None]]],
                }
                for i in range(200)
            ]
            sets.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
            rows = [row for row in decisions.rows(self.data, Path(folder)) if row.source == "sets/ours"]
            trained = {group.state for group in decisions.groups(self.data, Path(folder), random.Random(0))}
        self.assertEqual([question["answer"] for question in rows[0].questions], ["money", True])
        self.assertEqual([(question["instructions"], question["answer"]) for question in rows[1].questions], [("", "help")])
        kept = [(f"Pay me {i}!" in trained, f"How does number {i} work?" in trained) for i in range(200)]
        self.assertEqual(set(kept), {(True, True), (False, False)})

    def test_our_label_sets_are_whole_and_no_answer_is_always_right(self):
        files = sorted((AUTHORED / "sets").glob("*.jsonl"))
        self.assertGreater(len(files), 5)
        for one in (json.loads(line) for path in files for line in path.read_text("utf-8").splitlines()):
            with self.subTest(one["domain"]):
                texts, keys, answers = zip(*one["rows"], strict=True)
                self.assertEqual(len(set(texts)), len(texts))
                self.assertLessEqual(set(keys), set(one["c"]))
                self.assertGreater(len(set(keys)), 2)
                self.assertEqual({len(of) for of in answers}, {len(one["n"])})
                for column in zip(*answers, strict=True):
                    self.assertEqual({answer for answer in column if answer is not None}, {0, 1})

    def test_the_same_seed_gives_the_same_mix(self):
        self.assertEqual(self.mix(3), self.mix(3))
        self.assertNotEqual(self.mix(3), self.mix(4))

    def test_the_same_seed_gives_the_same_twins_in_another_process(self):
        """A Python set of texts has another order in every process."""
        program = "import random; from umpire_recipe.prepare import generated_twins; print(generated_twins.groups(15, random.Random(3)))"
        said = [
            subprocess.run(
                [sys.executable, "-c", program],
                cwd=TRAINING,
                env=os.environ | {"PYTHONHASHSEED": seed},
                capture_output=True,
                text=True,
                check=True,
            ).stdout
            for seed in ("1", "2")
        ]
        self.assertGreater(len(said[0]), 1000)
        self.assertTrue(said[0] == said[1], "the two processes made different texts")

    def test_a_classification_row_asks_for_its_own_label_among_others(self):
        chance, none_right = random.Random(1), 0
        for group in (group for _ in range(10) for group in classification.groups(self.data, 30, chance)):
            if group.source != "cls/colours":
                continue
            label = next(name for name in ("red", "blue", "green", "yellow") if f"about {name} " in group.state)
            for asked in group.asked:
                self.assertEqual(len(set(asked.options)), len(asked.options))
                if asked.kind == CHOICE and asked.options[asked.answer] not in classification.NONE_OF_THESE:
                    self.assertEqual(asked.options[asked.answer], label)
                elif asked.kind == CHOICE:
                    none_right += 1
                    self.assertNotIn(label, asked.options)
        self.assertGreater(none_right, 5)

    def test_yes_and_no_are_as_often_right(self):
        right, wrong = (
            classification.Label(["red"], ["like blood"], "It is red."),
            [classification.Label(["blue"], ["like the sky"], "It is blue.")],
        )
        chance = random.Random(0)
        asked = [classification.yes_no(right, wrong, "Which colour?", chance) for _ in range(2000)]
        for one in asked:
            is_right = "red" in one.instructions.lower().split("colour?")[-1] or "blood" in one.instructions
            denies = any(all(part in one.instructions for part in pattern.split("{n}")) for pattern in classification.NO)
            self.assertEqual(one.answer, 0 if is_right != denies else 1, one.instructions)
        self.assertAlmostEqual(np.mean([one.answer for one in asked]), 0.5, delta=0.05)

    def test_only_what_is_known_to_be_false_is_asked_to_be_denied(self):
        chance = random.Random(0)
        for _ in range(500):
            neutral = nli.yes_no("The lamp was red.", nli.NEUTRAL, chance)
            self.assertEqual(neutral.answer, 1)
            self.assertFalse(any(neutral.instructions.startswith(pattern.split("{")[0]) for pattern in nli.DENIED))

    def test_windows_cover_the_state_and_share_tokens(self):
        ids = list(range(1000))
        windows = cut(ids, 100, 99)
        self.assertEqual({len(window) for window in windows}, {100})
        self.assertEqual(sorted({token for window in windows for token in window}), ids)
        self.assertTrue(all(set(a) & set(b) for a, b in pairwise(windows)))
        self.assertEqual(cut(ids, 100, 1), [ids[:100]])

    def test_a_hidden_state_is_whole_and_among_others(self):
        """Its tokens are in the windows that are read, in one window or across two neighbours."""
        group = Group("The decisive sentence is here, quite unlike others.", [Asked(NOUL, "Is it?", ["yes", "no"], 0)], "decisions/x")
        strangers = ["Nothing to do with it: no. 4711/b, 12 % off, and so on; " * 4]
        ids = TextTokenizer(self.tokenizer_file.read_bytes()).ids
        for seed in range(100):
            made = hidden(group, strangers, random.Random(seed))
            windows = cut(ids(made.state), made.window_tokens, made.max_windows)
            self.assertGreaterEqual(len(windows), 2)
            whole = set(ids(group.state)) - set(ids(strangers[0]))
            self.assertTrue(any(whole <= set(a) | set(b) for a, b in pairwise(windows)))
        crowded = Group("word " * 290, group.asked, "decisions/x")
        self.assertIn(crowded.state.strip(), hidden(crowded, strangers, random.Random(1)).state)

    def test_noise_changes_no_number(self):
        text = "Order 4711 came on 3 May, 2 days late. Nobody answered the telephone; everybody waited."
        for kind in KINDS:
            for seed in range(20):
                noisy = kind(text, random.Random(seed))
                self.assertNotEqual(noisy, "")
                for number in ("4711", "3 May", "2 days"):
                    self.assertIn(number.split()[0], noisy)

    def test_packing_keeps_everything(self):
        packer = Packer(TextTokenizer(self.tokenizer_file.read_bytes()))
        ids = packer.tokenizer.ids
        asked = [Asked(CHOICE, "Which?", ["red", "blue sky"], 1), Asked(NLI, "", ["It is red."], labels=[2])]
        tokens = sum(len(ids(text)) + 2 for text in ("A state.", "Which?", "red", "blue sky", "It is red."))
        self.assertEqual(packer.add(Group("A state.", asked, "x")), (2, tokens))
        self.assertEqual(packer.add(Group("", asked, "x")), (0, 0))  # nothing to read
        self.assertEqual(packer.add(Group("A state.", [Asked(NOUL, "long " * 200, ["yes", "no"])], "x")), (0, 0))
        packer.add(Group("Another.", asked[:1], "x"))
        arrays = packer.arrays()

        def segment(number: int) -> list[int]:
            return list(arrays["tokens"][arrays["segment_at"][number] : arrays["segment_at"][number + 1]])

        self.assertEqual([segment(number) for number in arrays["windows"]], [ids("A state."), ids("Another.")])
        self.assertEqual(
            [segment(number) for number in arrays["options"]], [ids("red"), ids("blue sky"), ids("It is red."), ids("red"), ids("blue sky")]
        )
        self.assertEqual(arrays["group_questions_at"].tolist(), [0, 2, 3])
        self.assertEqual(arrays["question_answer"].tolist(), [1, 0, 1])
        self.assertEqual(arrays["option_label"].tolist(), [-1, -1, 2, -1, -1])
        self.assertEqual(segment(arrays["question_text"][1]), [])

    def test_held_out_by_text_alone(self):
        shares = np.mean([is_held_out(f"state {i}") for i in range(20_000)])
        self.assertAlmostEqual(shares, 0.07, delta=0.01)


if __name__ == "__main__":
    unittest.main()
