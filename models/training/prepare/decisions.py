"""Hand-written decisions: those of the data folder, and the project's own, some of which ask about texts of the data folder."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

from asked import Group, reordered
from holdout import is_held_out
from sources import asked_of, json_rows, nli_rows, set_rows
from text import text_of

AUTHORED = Path(__file__).resolve().parents[1] / "authored"
TYPES = {"n": "noul", "c": "choice", "s": "score"}


@dataclass(frozen=True)
class Written:
    """A hand-written row. source: `decisions/<file>`, `own/<file>` or `twins/<file>`. side: the text by which the row is held out or not; a twin stands where its original does."""

    source: str
    state: str
    questions: list[dict]
    side: str


def question_of(terse: list) -> dict:
    """[type, instructions, criteria, answer] of the project's own files -> the product's form."""
    kind, instructions, criteria, answer = terse
    return {"type": TYPES[kind], "instructions": instructions, "criteria": criteria, "answer": bool(answer) if kind == "n" else answer}


def quoted(data: Path, source: str) -> str:
    """`cls/<set>:<row>` or `nli/<file>:<row>` -> the text that stands there in the data folder."""
    place, row = source.rsplit(":", 1)
    folder, name = place.split("/", 1)
    if folder == "cls":
        return set_rows(data, name)[int(row)]["text"]
    return nli_rows(data / "nli" / "train" / f"{name}.tsv.gz")[int(row)][1]


def twin_of(row: dict, original: Written, source: str) -> Written:
    """{"twin": <file and row of the original>, "state", "a": [answers]}: the questions of another row, asked of another state. An answer that is null is of a question which that state leaves open."""
    answers = [bool(answer) if question["type"] == "noul" and answer is not None else answer for question, answer in zip(original.questions, row["a"], strict=True)]
    questions = [question | {"answer": answer} for question, answer in zip(original.questions, answers) if answer is not None]
    return Written(source, text_of(row["state"]), questions, original.side)


def rows(data: Path, authored: Path = AUTHORED) -> list[Written]:
    """Every hand-written row, held out or not. authored: the folder with the project's own."""
    found: dict[str, Written] = {}
    for path in sorted((data / "decisions" / "train").glob("*.jsonl.gz")):
        name = f"decisions/{path.name.removesuffix('.jsonl.gz')}"
        for number, row in enumerate(json_rows(path)):
            state = text_of(row["state"])
            found[f"{name}:{number}"] = Written(name, state, list(row["questions"].values()), state)
    for path in sorted(authored.glob("*.jsonl")):
        for number, row in enumerate(json_rows(path)):
            state = quoted(data, row["source"]) if "source" in row else text_of(row["state"])
            found[f"own/{path.stem}:{number}"] = Written(f"own/{path.stem}", state, [question_of(terse) for terse in row["q"]], state)
    originals = list(found.values())
    twins = [twin_of(row, found[row["twin"]], f"twins/{path.stem}") for path in sorted((authored / "twins").glob("*.jsonl")) for row in json_rows(path)]
    return originals + twins


def groups(data: Path, authored: Path, chance: random.Random) -> list[Group]:
    made = []
    for row in rows(data, authored):
        if is_held_out(row.side):
            continue
        asked = [reordered(asked_of(question), chance) for question in row.questions]
        chance.shuffle(asked)
        # Long ones in two: attention over one packed sequence grows with its square.
        half = -(-len(asked) // 2) if sum(len(one.options) for one in asked) > 24 or len(asked) > 7 else len(asked)
        made += [Group(row.state, asked[at : at + half], row.source, 382, 4) for at in range(0, len(asked), half)]
    return made
