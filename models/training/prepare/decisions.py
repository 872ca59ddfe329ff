"""Hand-written decisions: those of the data folder, and the project's own, some of which ask about texts of the data folder."""

import json
import random
from pathlib import Path

from asked import Group, reordered
from holdout import is_held_out
from sources import asked_of, json_rows, nli_rows, set_rows
from text import text_of

AUTHORED = Path(__file__).resolve().parents[1] / "authored"
TYPES = {"n": "noul", "c": "choice", "s": "score"}


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


def rows(data: Path, authored: Path = AUTHORED) -> list[tuple[str, str, list[dict]]]:
    """(source, state text, questions) of every hand-written row, held out or not. authored: the folder with the project's own."""
    found = []
    for path in sorted((data / "decisions" / "train").glob("*.jsonl.gz")):
        name = path.name.removesuffix(".jsonl.gz")
        found += [(f"decisions/{name}", text_of(row["state"]), list(row["questions"].values())) for row in json_rows(path)]
    for path in sorted(authored.glob("*.jsonl")):
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            state = quoted(data, row["source"]) if "source" in row else text_of(row["state"])
            found.append((f"own/{path.stem}", state, [question_of(terse) for terse in row["q"]]))
    return found


def groups(data: Path, authored: Path, chance: random.Random) -> list[Group]:
    made = []
    for source, state, questions in rows(data, authored):
        if is_held_out(state):
            continue
        asked = [reordered(asked_of(question), chance) for question in questions]
        chance.shuffle(asked)
        # Long ones in two: attention over one packed sequence grows with its square.
        half = -(-len(asked) // 2) if sum(len(one.options) for one in asked) > 24 or len(asked) > 7 else len(asked)
        made += [Group(state, asked[at : at + half], source, 382, 4) for at in range(0, len(asked), half)]
    return made
