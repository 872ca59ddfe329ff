"""The questions that a calibration is fitted on: the tuning split, asked as people ask."""

import json
import random
from pathlib import Path

import classification
from asked import NOUL
from holdout import SETS
from sources import set_rows
from tuning import Labelled, hand_written, held_out_sets

FACES = Path(__file__).resolve().parents[1] / "evaluate" / "faces"


def renamed(data: Path, name: str, rows_a_set: int, chance: random.Random) -> list[Labelled]:
    """Rows of a held-out set under names and descriptions that are not its own: label sets as nobody has seen them, which is what users bring."""
    written = json.loads((FACES / f"{name}.json").read_text("utf-8"))
    faces = {label: classification.Label(face["names"], face["descriptions"], face.get("statement")) for label, face in written["labels"].items()}
    rows = list(set_rows(data, name))
    chance.shuffle(rows)
    made = []
    for row in rows[:rows_a_set]:
        right = faces[row["label"]]
        wrong = [face for label, face in faces.items() if label != row["label"]]
        asked = classification.choice(right, wrong, [], chance.choice(written["instructions"]), chance, nameless=False)
        if asked:
            criteria = {text: None for text in asked.options}
            made.append(Labelled(row["text"], {"type": "choice", "instructions": asked.instructions, "criteria": criteria, "answer": asked.options[asked.answer]}, f"renamed/{name}"))
        if chance.random() < 0.3:
            asked = classification.yes_no(right, wrong, "", chance)
            assert asked.kind == NOUL
            made.append(Labelled(row["text"], {"type": "noul", "instructions": asked.instructions, "criteria": None, "answer": asked.answer == 0}, f"renamed/{name}"))
    return made


def calibration_questions(data: Path, authored: Path, rows_a_set: int, seed: int = 0) -> list[Labelled]:
    """rows_a_set: of each held-out set under its own labels, and as many again under others."""
    chance = random.Random(seed)
    return [*hand_written(data, authored), *held_out_sets(data, rows_a_set, all_labels=False), *(one for name in SETS for one in renamed(data, name, rows_a_set, chance))]
