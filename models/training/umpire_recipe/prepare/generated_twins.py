"""Questions from the generators: pairs of states that differ in one fact, the same questions about both, answers computed."""

import importlib
import pkgutil
import random

from umpire_recipe import generators
from umpire_recipe.prepare.asked import Group, reordered
from umpire_recipe.prepare.sources import asked_of
from umpire_recipe.reading.request_text import text_of


def generator_names() -> list[str]:
    """The modules of generators/, without the package of their parts."""
    return sorted(module.name for module in pkgutil.iter_modules(generators.__path__) if not module.ispkg)


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
