"""Hand-written decisions: those of the data folder, and the project's own."""

import random
from pathlib import Path

from asked import Group, reordered
from holdout import is_held_out
from sources import asked_of, json_rows
from text import text_of
from written import AUTHORED, Written, own_rows, set_texts, twin_rows


def rows(data: Path, own: Path = AUTHORED) -> list[Written]:
    """Every hand-written row, held out or not. own: the folder with the project's own."""
    cited: dict[str, Written] = {}
    for path in sorted((data / "decisions" / "train").glob("*.jsonl.gz")):
        name = f"decisions/{path.name.removesuffix('.jsonl.gz')}"
        for number, row in enumerate(json_rows(path)):
            state = text_of(row["state"])
            cited[f"{name}:{number}"] = Written(name, state, list(row["questions"].values()), state)
    cited |= own_rows(data, own)
    return [*cited.values(), *twin_rows(own, cited), *set_texts(own)]


def groups(data: Path, own: Path, contrast: float, chance: random.Random) -> list[Group]:
    """contrast: share of the contrast twins that is read."""
    made = []
    for row in rows(data, own):
        if is_held_out(row.side) or (row.source.startswith("twins/") and chance.random() >= contrast):
            continue
        asked = [reordered(asked_of(question), chance) for question in row.questions]
        chance.shuffle(asked)
        # Long ones in two: attention over one packed sequence grows with its square.
        half = -(-len(asked) // 2) if sum(len(one.options) for one in asked) > 24 or len(asked) > 7 else len(asked)
        made += [Group(row.state, asked[at : at + half], row.source, 382, 4) for at in range(0, len(asked), half)]
    return made
