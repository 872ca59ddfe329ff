"""Twins of the generator families: two states that differ in one fact, the same questions, answers computed."""

import importlib
import random
from pathlib import Path

from asked import Group, reordered
from sources import asked_of
from text import text_of

FAMILIES = Path(__file__).resolve().parents[1] / "families"


def family_names() -> list[str]:
    """Modules of families/ that make twins; the others are what they share."""
    return sorted(path.stem for path in FAMILIES.glob("*.py") if "\ndef twin(" in path.read_text("utf-8"))


def groups(twins_a_family: int, chance: random.Random) -> list[Group]:
    made = []
    for name in family_names():
        twin = importlib.import_module(f"families.{name}").twin
        for _ in range(twins_a_family):
            drawn = twin(chance)
            for side, state in enumerate(drawn.states):
                asked = [asked_of({"type": q.type, "instructions": q.instructions, "criteria": q.criteria, "answer": q.answers[side]}) for q in drawn.questions]
                made.append(Group(text_of(state), [reordered(one, chance) for one in asked], f"generated/{name}", 382, 2))
    return made
