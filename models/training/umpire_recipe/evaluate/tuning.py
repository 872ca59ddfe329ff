"""The tuning split (prepare/holdout.py) as questions in the product's form. Recipes are chosen and calibrations fitted on it."""

import hashlib
import json
import random
from dataclasses import dataclass
from pathlib import Path

from umpire_recipe.folders import AUTHORED
from umpire_recipe.prepare import decisions
from umpire_recipe.prepare.holdout import SETS, is_held_out
from umpire_recipe.prepare.nli import LABELS
from umpire_recipe.prepare.sources import nli_rows, set_descriptions, set_instructions, set_rows
from umpire_recipe.prepare.written import Written
from umpire_recipe.reading.request_text import Json

ROWS_A_SET = 400
HYPOTHESES_A_SET = 1000
NLI_SETS = ("mnli_merged", "snli_cat")


@dataclass(frozen=True)
class Labelled:
    """A question with its answer, in the product's form. source: as in written.Written, or `cls/<set>`. twin: what it shares with the same
    question about the other state of a pair of twins."""

    state: Json
    question: dict
    source: str
    twin: str | None = None


def hand_written(data: Path, own: Path = AUTHORED) -> list[Labelled]:
    return [
        Labelled(row.state, question, row.source, twin_of(row, question) if decisions.is_twin(row) else None)
        for row in decisions.rows(data, own)
        if is_held_out(row.side)
        for question in row.questions
    ]


def twin_of(row: Written, question: dict) -> str:
    asked = {name: value for name, value in question.items() if name != "answer"}
    return hashlib.sha256(json.dumps([row.side, asked], sort_keys=True).encode()).hexdigest()[:16]


def set_questions(data: Path, name: str, rows_a_set: int, chance: random.Random) -> list[Labelled]:
    """Choices among all labels of a set."""
    rows = list(set_rows(data, name))
    chance.shuffle(rows)
    labels = sorted({row["label"] for row in rows})
    described, asked = set_descriptions(data, name), set_instructions(data)[name]
    made = []
    for row in rows[:rows_a_set]:
        chance.shuffle(labels)
        criteria = {label: described.get(label) for label in labels}
        made.append(
            Labelled(
                row["text"],
                {"type": "choice", "instructions": chance.choice(asked), "criteria": criteria, "answer": row["label"]},
                f"cls/{name}",
            )
        )
    return made


def held_out_sets(data: Path, rows_a_set: int = ROWS_A_SET, seed: int = 0) -> list[Labelled]:
    chance = random.Random(seed)
    return [labelled for name in SETS for labelled in set_questions(data, name, rows_a_set, chance)]


def hypotheses(data: Path, seed: int = 0) -> dict[str, list[tuple[int, str, str]]]:
    """By set: (label, premise, hypothesis) with held-out premises."""
    chance, found = random.Random(seed), {}
    for name in NLI_SETS:
        rows = [
            (LABELS[label], premise, hypothesis)
            for label, premise, hypothesis in nli_rows(data / "nli" / "train" / f"{name}.train.tsv.gz")
            if label in LABELS and is_held_out(premise)
        ]
        chance.shuffle(rows)
        found[name] = rows[:HYPOTHESES_A_SET]
    return found
