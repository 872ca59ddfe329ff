"""Questions from the generators: pairs of states that differ in one fact, the same questions about both, answers computed."""

import importlib
import random
from pathlib import Path

from umpire_recipe import generators
from umpire_recipe.prepare.asked import Group, reordered
from umpire_recipe.prepare.sources import asked_of
from umpire_recipe.reading.request_text import text_of

GENERATORS = Path(generators.__file__).parent


def generator_names() -> list[str]:
    """Modules of generators/ that make twins. The other modules are shared by them."""
    return sorted(path.stem for path in GENERATORS.glob("*.py") if "\ndef twin(" in path.read_text("utf-8"))


def groups(twins_each: int, chance: random.Random) -> list[Group]:
    made = []
    for name in generator_names():
        twin = importlib.import_module(f"{generators.__name__}.{name}").twin
        for _ in range(twins_each):
            drawn = twin(chance)
            for side, state in enumerate(drawn.states):
                asked = [
                    asked_of({"type": q.type, "instructions": q.instructions, "criteria": q.criteria, "answer": q.answers[side]})
                    for q in drawn.questions
                ]
                made.append(Group(text_of(state), [reordered(one, chance) for one in asked], f"generated/{name}", 382, 2))
    return made
