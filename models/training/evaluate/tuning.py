"""The tuning split (prepare/holdout.py) as questions in the product's form: what recipes are chosen by and calibrations are fitted on."""

import random
from dataclasses import dataclass
from pathlib import Path

import decisions
from holdout import SETS, is_held_out
from nli import LABELS
from sources import nli_rows, set_descriptions, set_instructions, set_rows
from text import Json
from written import AUTHORED

ROWS_A_SET = 400
HYPOTHESES_A_SET = 1000
NLI_SETS = ("mnli_merged", "snli_cat")


@dataclass(frozen=True)
class Labelled:
    """question: type, instructions, criteria and answer, in the product's form. source: as of written.Written, or `cls/<set>`."""

    state: Json
    question: dict
    source: str


def hand_written(data: Path, own: Path = AUTHORED) -> list[Labelled]:
    return [Labelled(row.state, question, row.source) for row in decisions.rows(data, own) if is_held_out(row.side) for question in row.questions]


def set_questions(data: Path, name: str, rows_a_set: int, chance: random.Random) -> list[Labelled]:
    """A choice among all labels of a set."""
    rows = list(set_rows(data, name))
    chance.shuffle(rows)
    labels = sorted({row["label"] for row in rows})
    described, asked = set_descriptions(data, name), set_instructions(data)[name]
    made = []
    for row in rows[:rows_a_set]:
        chance.shuffle(labels)
        criteria = {label: described.get(label) for label in labels}
        made.append(Labelled(row["text"], {"type": "choice", "instructions": chance.choice(asked), "criteria": criteria, "answer": row["label"]}, f"cls/{name}"))
    return made


def held_out_sets(data: Path, rows_a_set: int = ROWS_A_SET, seed: int = 0) -> list[Labelled]:
    chance = random.Random(seed)
    return [labelled for name in SETS for labelled in set_questions(data, name, rows_a_set, chance)]


def hypotheses(data: Path, seed: int = 0) -> dict[str, list[tuple[int, str, str]]]:
    """By set: (label, premise, hypothesis) of held-out premises."""
    chance, found = random.Random(seed), {}
    for name in NLI_SETS:
        rows = [(LABELS[label], premise, hypothesis) for label, premise, hypothesis in nli_rows(data / "nli" / "train" / f"{name}.train.tsv.gz") if label in LABELS and is_held_out(premise)]
        chance.shuffle(rows)
        found[name] = rows[:HYPOTHESES_A_SET]
    return found
