"""Hand-written questions: those of the data folder's decisions, and the project's own."""

import random
from pathlib import Path

from umpire_recipe.folders import AUTHORED
from umpire_recipe.prepare.asked import Group, reordered
from umpire_recipe.prepare.holdout import is_held_out
from umpire_recipe.prepare.sources import asked_of, json_rows
from umpire_recipe.prepare.written import Written, own_rows, set_texts
from umpire_recipe.reading.request_text import text_of

TWINS = "authored-twins-"  # files of pairs of rows, one after the other, that differ in the deciding fact


def sides(name: str, states: list[str]) -> list[str]:
    """For each row of a file, the text that decides whether it is held out: a pair of twins is on one side, that of its first state."""
    return [states[number - number % 2] for number in range(len(states))] if name.startswith(TWINS) else states


def rows(data: Path, own: Path = AUTHORED) -> list[Written]:
    """Every hand-written row, held out or not. own: folder with the project's own questions."""
    found = []
    for path in sorted((data / "decisions" / "train").glob("*.jsonl.gz")):
        name, read = path.name.removesuffix(".jsonl.gz"), json_rows(path)
        states = [text_of(row["state"]) for row in read]
        for row, state, side in zip(read, states, sides(name, states), strict=True):
            found.append(Written(f"decisions/{name}", state, list(row["questions"].values()), side))
    return [*found, *own_rows(data, own), *set_texts(own)]


def is_twin(row: Written) -> bool:
    return row.source.startswith(f"decisions/{TWINS}")


def groups(data: Path, own: Path, chance: random.Random, twins_alone: bool = False) -> list[Group]:
    made = []
    for row in rows(data, own):
        if is_held_out(row.side) or (twins_alone and not is_twin(row)):
            continue
        asked = [reordered(asked_of(question), chance) for question in row.questions]
        chance.shuffle(asked)
        # Long groups are halved, because the cost of attention over one packed sequence grows with its square.
        half = -(-len(asked) // 2) if sum(len(one.options) for one in asked) > 24 or len(asked) > 7 else len(asked)
        made += [Group(row.state, asked[at : at + half], row.source, 382, 4) for at in range(0, len(asked), half)]
    return made
