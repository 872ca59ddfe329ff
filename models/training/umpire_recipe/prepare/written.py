"""Reads authored/: the project's own questions, one JSON object a line, in two formats.

*.jsonl        {"source" or "state", "domain", "q": [[type, instructions, criteria, answer], ...]}
               a text and its questions
sets/*.jsonl   {"domain", "i": [instructions, ...], "c": criteria, "n": [yes/no question, ...],
                "rows": [[state, key, [answer to each yes/no question]], ...]}
               a label set and texts that are easily confused

type: n, c or s (noul, choice, score). answer: 1 or 0 for a noul, else as in the product's form; null in `rows` if the state leaves the
question open.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from umpire_recipe.prepare.sources import json_rows, nli_rows, set_rows
from umpire_recipe.reading.request_text import Json, text_of

TYPES = {"n": "noul", "c": "choice", "s": "score"}


@dataclass(frozen=True)
class Written:
    """A hand-written row: a state and questions in the product's form, each with its answer.

    source: `decisions/<file>`, `own/<file>` or `sets/<file>`. side: the text that decides whether the row is held out (holdout.py). It is
    the state, or for a label set the set itself, so that a set is held out as a whole; for twins (decisions.py) the first state of the two.
    """

    source: str
    state: str
    questions: list[dict]
    side: str


def question_of(kind: str, instructions: str, criteria: Json = None) -> dict:
    return {"type": TYPES[kind], "instructions": instructions, "criteria": criteria}


def answered(question: dict, answer: Json) -> dict:
    return question | {"answer": bool(answer) if question["type"] == "noul" else answer}


def those_answered(questions: list[dict], answers: list[Json]) -> list[dict]:
    return [answered(question, answer) for question, answer in zip(questions, answers, strict=True) if answer is not None]


def quoted(data: Path, source: str) -> str:
    """The text of the data folder that `cls/<set>:<row>` or `nli/<file>:<row>` refers to."""
    place, row = source.rsplit(":", 1)
    folder, name = place.split("/", 1)
    if folder == "cls":
        return set_rows(data, name)[int(row)]["text"]
    return nli_rows(data / "nli" / "train" / f"{name}.tsv.gz")[int(row)][1]


def own_rows(data: Path, folder: Path) -> Iterator[Written]:
    for path in sorted(folder.glob("*.jsonl")):
        for row in json_rows(path):
            state = quoted(data, row["source"]) if "source" in row else text_of(row["state"])
            questions = [answered(question_of(*terse), answer) for *terse, answer in row["q"]]
            yield Written(f"own/{path.stem}", state, questions, state)


def set_texts(folder: Path) -> Iterator[Written]:
    for path in sorted((folder / "sets").glob("*.jsonl")):
        for row in json_rows(path):
            side = " | ".join([row["domain"], *row["c"]])
            yes_no = [question_of("n", statement) for statement in row["n"]]
            for number, (state, key, answers) in enumerate(row["rows"]):
                choice = question_of("c", row["i"][number % len(row["i"])], row["c"])
                yield Written(f"sets/{path.stem}", text_of(state), those_answered([choice, *yes_no], [key, *answers]), side)
