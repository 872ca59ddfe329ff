"""Quantities that things and people can be compared by."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from .people import CITIES, GOODS, firms, people
from .text_files import load_texts
from .times import span
from .wording import money, number, possessive

TEXTS = load_texts("measures")


@dataclass(frozen=True)
class Measure:
    """A quantity to compare by.

    tell: the value {v} of a subject {s}. more, less: how {x} compares with {y}. chain_more, chain_less: the same with the difference {d}.
    most, least: questions for the extreme. low, high, step: the range of values. say: a value in words, given the currency.
    subjects: draws the given number of subjects.
    """

    name: str
    tell: tuple[str, ...]
    more: tuple[str, ...]
    less: tuple[str, ...]
    most: tuple[str, ...]
    least: tuple[str, ...]
    chain_more: tuple[str, ...]
    chain_less: tuple[str, ...]
    low: int
    high: int
    step: int
    say: Callable[[random.Random, int, str], str]
    subjects: Callable[[random.Random, int], list[str]]


def weight(rng: random.Random, grams: int, _: str) -> str:
    if rng.random() < 0.4:
        return f"{grams} g"
    if rng.random() < 0.6:
        return f"{grams / 1000:g} kg"
    return "one kilo" if grams == 1000 else f"{grams / 1000:g} kilos"


def length(rng: random.Random, metres: int, _: str) -> str:
    if rng.random() < 0.3:
        return f"{metres} m"
    if rng.random() < 0.6:
        return f"{metres / 1000:g} km"
    return f"{metres:,} metres" if metres >= 10_000 else f"{metres} metres"


def things(rng: random.Random, n: int) -> list[str]:
    return [f"the {i.one}" for i in rng.sample([g for g in GOODS if " of " not in g.one], n)]


def trips(rng: random.Random, n: int) -> list[str]:
    return [f"the {kind} to {c}" for kind in [rng.choice(["ride", "tour", "walk", "trip"])] for c in rng.sample(CITIES, n)]


def offers(rng: random.Random, n: int) -> list[str]:
    return [f"the offer from {f}" for f in firms(rng, n)] if rng.random() < 0.5 else [f"{possessive(p.name)} quote" for p in people(rng, n)]


def names(rng: random.Random, n: int) -> list[str]:
    return [p.name for p in people(rng, n)]


SAY = {
    "price": money,
    "weight": weight,
    "duration": lambda rng, minutes, _: span(rng, minutes),
    "distance": length,
    "age": lambda rng, years, _: number(rng, years, 0.4),
    "points": lambda rng, points, _: number(rng, points, 0.35),
}
SUBJECTS = {"price": offers, "weight": things, "duration": names, "distance": trips, "age": names, "points": names}
MEASURES = [Measure(**row, say=SAY[row["name"]], subjects=SUBJECTS[row["name"]]) for row in TEXTS["measures"]]
