"""The questions of the tuning split that a calibration is fitted on.

Yes/no questions and scores are hand-written ones only (LOG.md says why). Those of label sets are left out, because each was written to turn
on one detail.
"""

import json
import random
from pathlib import Path

from umpire_recipe.evaluate.tuning import Labelled, hand_written
from umpire_recipe.prepare import classification
from umpire_recipe.prepare.holdout import SETS
from umpire_recipe.prepare.sources import set_rows

FACES = Path(__file__).resolve().parents[1] / "evaluate" / "faces"


def renamed(data: Path, name: str, rows_a_set: int, chance: random.Random) -> list[Labelled]:
    """Rows of a held-out set as choices under other names and descriptions: unseen label sets, such as users bring.

    Half of the choices are among all labels, half among a few.
    """
    written = json.loads((FACES / f"{name}.json").read_text("utf-8"))
    faces = {
        label: classification.Label(face["names"], face["descriptions"], face.get("statement")) for label, face in written["labels"].items()
    }
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
            made.append(
                Labelled(
                    row["text"],
                    {"type": "choice", "instructions": asked.instructions, "criteria": criteria, "answer": asked.options[asked.answer]},
                    f"renamed/{name}",
                )
            )
    return made


def calibration_questions(data: Path, authored: Path, rows_a_set: int, without: list[str], seed: int = 0) -> list[Labelled]:
    """All questions to fit on. rows_a_set: rows of each held-out set. without: held-out sets to leave out.

    Held-out sets never appear under their own labels. An earlier model may have seen those, and would look too sure of itself.
    """
    chance = random.Random(seed)
    written = [one for one in hand_written(data, authored) if not (one.source.startswith("sets/") and one.question["type"] == "noul")]
    return [*written, *(one for name in SETS if name not in without for one in renamed(data, name, rows_a_set, chance))]
