"""Reads authored/: the project's own questions, in three formats, a line each.

*.jsonl          {"source" or "state", "domain", "q": [[type, instructions, criteria, answer], ...]}        a text and what is asked of it
twins/*.jsonl    {"twin": "<file>:<row>", "state", "a": [answer, ...]}                                      another state for the questions of a row that stands elsewhere
sets/*.jsonl     {"domain", "i": [instructions, ...], "c": criteria, "n": [yes/no question, ...],
                  "rows": [[state, key, [answer to each yes/no question]], ...]}                            a label set and texts that are easily confused

type: n, c or s (noul, choice, score); answer: of a noul 1 or 0, else as in the product's form; null in `a` and `rows` where the state leaves the question open.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sources import json_rows, nli_rows, set_rows
from text import Json, text_of

AUTHORED = Path(__file__).resolve().parents[1] / "authored"
TYPES = {"n": "noul", "c": "choice", "s": "score"}


@dataclass(frozen=True)
class Written:
    """A hand-written row: a state and questions in the product's form, each with its answer.

    source: `decisions/<file>`, or `own`, `twins` or `sets` and the file. side: the text by which the row is held out or not (holdout.py): of a twin its original's state, of a label set the set itself.
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
    """`cls/<set>:<row>` or `nli/<file>:<row>` -> the text that stands there in the data folder."""
    place, row = source.rsplit(":", 1)
    folder, name = place.split("/", 1)
    if folder == "cls":
        return set_rows(data, name)[int(row)]["text"]
    return nli_rows(data / "nli" / "train" / f"{name}.tsv.gz")[int(row)][1]


def own_rows(data: Path, folder: Path) -> Iterator[tuple[str, Written]]:
    """(file and row, as twins cite it; the row)"""
    for path in sorted(folder.glob("*.jsonl")):
        for number, row in enumerate(json_rows(path)):
            state = quoted(data, row["source"]) if "source" in row else text_of(row["state"])
            questions = [answered(question_of(*terse), answer) for *terse, answer in row["q"]]
            yield f"own/{path.stem}:{number}", Written(f"own/{path.stem}", state, questions, state)


def twin_rows(folder: Path, originals: Mapping[str, Written]) -> Iterator[Written]:
    for path in sorted((folder / "twins").glob("*.jsonl")):
        for row in json_rows(path):
            original = originals[row["twin"]]
            yield Written(f"twins/{path.stem}", text_of(row["state"]), those_answered(original.questions, row["a"]), original.side)


def set_texts(folder: Path) -> Iterator[Written]:
    for path in sorted((folder / "sets").glob("*.jsonl")):
        for row in json_rows(path):
            side = " | ".join([row["domain"], *row["c"]])
            yes_no = [question_of("n", statement) for statement in row["n"]]
            for number, (state, key, answers) in enumerate(row["rows"]):
                choice = question_of("c", row["i"][number % len(row["i"])], row["c"])
                yield Written(f"sets/{path.stem}", text_of(state), those_answered([choice, *yes_no], [key, *answers]), side)
