"""Reads the data folder's three formats: classification sets, NLI pairs and hand-written decisions."""

import gzip
import json
from functools import cache
from pathlib import Path

from umpire_recipe.prepare.asked import CHOICE, NOUL, SCORE, Asked
from umpire_recipe.reading.request_text import in_javascript_order, reading_of

NUMBER = {"choice": CHOICE, "noul": NOUL, "score": SCORE}


def lines(path: Path) -> list[str]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as stream:
        return [line for line in stream if line.strip()]


def json_rows(path: Path) -> list[dict]:
    return [json.loads(line) for line in lines(path)]


def set_names(data: Path) -> list[str]:
    return sorted(path.name.removesuffix(".jsonl.gz") for path in (data / "cls" / "train").glob("*.jsonl.gz"))


@cache
def set_rows(data: Path, name: str) -> list[dict]:
    return json_rows(data / "cls" / "train" / f"{name}.jsonl.gz")


def set_descriptions(data: Path, name: str) -> dict[str, str]:
    path = data / "cls" / "train" / f"{name}.labels.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def set_instructions(data: Path) -> dict[str, list[str]]:
    return json.loads((data / "cls" / "instructions.json").read_text("utf-8"))["train"]


@cache
def nli_rows(path: Path) -> list[tuple[str, str, str]]:
    """One (label, premise, hypothesis) for each row."""
    split = [line.rstrip("\n").split("\t") for line in lines(path)]
    return [(row[0], row[1], row[2]) for row in split if len(row) == 3]


def asked_of(question: dict) -> Asked:
    """A question in the product's form, with its `answer`, as training reads it. Options keep the order of the criteria."""
    reading = reading_of(question)
    kind, answer = NUMBER[question["type"]], question["answer"]
    if kind == CHOICE:
        answer = [key for key, _ in in_javascript_order(question["criteria"])].index(answer)
    elif kind == NOUL:
        answer = 0 if answer else 1
    return Asked(kind, reading.instructions, reading.options, answer)
