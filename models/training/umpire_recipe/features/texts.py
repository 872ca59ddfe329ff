"""The texts that the basis is fitted on: rows of the classification sets that training may see, with an instruction of their set."""

import random
from pathlib import Path

from umpire_recipe.prepare.holdout import SETS, is_held_out, texts_of_sets
from umpire_recipe.prepare.sources import set_instructions, set_names, set_rows


def texts(data: Path, rows_a_set: int, seed: int = 0) -> list[tuple[str, str]]:
    """(state, instructions) of at most rows_a_set rows of each set.

    All rows of a set have the same instructions, as the examples of a lesson have.
    """
    chance, found, held = random.Random(seed), [], texts_of_sets(data)
    for name in set_names(data):
        if name in SETS:
            continue
        rows = sorted({row["text"] for row in set_rows(data, name)})
        chance.shuffle(rows)
        seen = [text for text in rows if not is_held_out(text) and text not in held]
        found += [(text, set_instructions(data)[name][0]) for text in seen[:rows_a_set]]
    return found
