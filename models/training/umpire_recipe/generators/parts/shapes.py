"""Fills forms, lays facts out as a text and completes a twin."""

import random
from collections.abc import Sequence
from typing import Any

from .people import CITIES, MEN, WOMEN
from .text_files import load_texts
from .times import WEEKDAYS
from .twin import Question, State, Twin
from .wording import cap

TEXTS = load_texts("shapes")


def made(rng: random.Random, states: tuple[State, State], questions: list[Question], most: int = 5) -> Twin:
    """A twin with 2 to `most` of the questions, at least one with different answers, and the two states in random order."""
    questions = list({(question.type, question.instructions): question for question in questions}.values())  # no question twice
    first = rng.choice([question for question in questions if question.answers[0] != question.answers[1]])
    rest = [question for question in questions if question is not first]
    rng.shuffle(rest)
    kept = [first, *rest[: rng.randint(1, most - 1)]]
    rng.shuffle(kept)
    if rng.random() < 0.5:
        states = (states[1], states[0])
        kept = [Question(q.type, q.instructions, q.criteria, (q.answers[1], q.answers[0])) for q in kept]
    return Twin(states, kept)


def layout(rng: random.Random, facts: Sequence[str], heading: str = "", mix: bool = True) -> str:
    """Sentences as running text, lines or bullets, in random order if `mix`."""
    lines = list(facts)
    if mix:
        rng.shuffle(lines)
    shape = rng.random()
    if shape < 0.5:
        return (f"{heading}: " if heading and rng.random() < 0.3 else "") + " ".join(lines)
    top = f"{heading}\n" if heading and rng.random() < 0.7 else ""
    if shape < 0.75:
        return top + "\n".join(lines)
    mark = rng.choice(["- ", "* ", "• "])
    return top + "\n".join(mark + line for line in lines)


def fill(rng: random.Random, forms: Sequence[str], **values: Any) -> str:
    """One of the forms, filled, with a capital first letter."""
    return cap(rng.choice(forms).format(**values))


def filled(forms: Sequence[str], **values: Any) -> list[str]:
    """All forms filled, each with a capital first letter."""
    return [cap(form.format(**values)) for form in forms]


def formatted(forms: Sequence[str], **values: Any) -> list[str]:
    """All forms filled, their first letters as they are."""
    return [form.format(**values) for form in forms]


def aside(rng: random.Random) -> str:
    """A sentence that has nothing to do with the questions."""
    return rng.choice(TEXTS["asides"]).format(
        p=rng.choice(WOMEN + MEN), day=rng.choice(WEEKDAYS), n=rng.randint(2, 89), city=rng.choice(CITIES)
    )


def padded(rng: random.Random, facts: Sequence[str], most: int = 4) -> list[str]:
    """The facts in their order, with 0 to `most` asides before, between or after them."""
    lines = list(facts)
    for _ in range(rng.randint(0, most)):
        lines.insert(rng.randint(0, len(lines)), aside(rng))
    return lines
