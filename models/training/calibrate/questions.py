"""The questions that a calibration is fitted on: the tuning split. Yes/no and scores are hand-written ones alone (LOG.md says why), and not those of label sets, each of which was written to turn on one detail."""

import json
import random
from pathlib import Path

import classification
from holdout import SETS
from sources import set_rows
from tuning import Labelled, hand_written

FACES = Path(__file__).resolve().parents[1] / "evaluate" / "faces"


def renamed(data: Path, name: str, rows_a_set: int, chance: random.Random) -> list[Labelled]:
    """Rows of a held-out set under names and descriptions that are not its own: label sets as nobody has seen them, which is what users bring. Half of them
    among all labels, half among a few."""
    written = json.loads((FACES / f"{name}.json").read_text("utf-8"))
    faces = {label: classification.Label(face["names"], face["descriptions"], face.get("statement")) for label, face in written["labels"].items()}
    rows = list(set_rows(data, name))
    chance.shuffle(rows)
    made = []
    for row in rows[:rows_a_set]:
        right = faces[row["label"]]
        wrong = [face for label, face in faces.items() if label != row["label"]]
        count = len(faces) if chance.random() < 0.5 else None
        asked = classification.choice(right, wrong, [], chance.choice(written["instructions"]), chance, count, nameless=False)
        if asked:
            criteria = {text: None for text in asked.options}
            made.append(Labelled(row["text"], {"type": "choice", "instructions": asked.instructions, "criteria": criteria, "answer": asked.options[asked.answer]}, f"renamed/{name}"))
    return made


def calibration_questions(data: Path, authored: Path, rows_a_set: int, without: list[str], seed: int = 0) -> list[Labelled]:
    """rows_a_set: of each held-out set. Never under its own labels: a backbone or an earlier model may have met those, and would look surer than it is on new ones."""
    chance = random.Random(seed)
    written = [one for one in hand_written(data, authored) if not (one.source.startswith("sets/") and one.question["type"] == "noul")]
    return [*written, *(one for name in SETS if name not in without for one in renamed(data, name, rows_a_set, chance))]
