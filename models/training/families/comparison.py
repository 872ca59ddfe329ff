"""Teaches comparing: more and less, ranks and differences, with mixed units and values told as differences."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .asking import both, pick, polar
from .layouts import lay_out, table, with_asides
from .people import CITIES, GOODS, firms, people
from .shapes import formatted
from .text_files import load_texts
from .times import span
from .twin import State, Twin, score
from .wording import CURRENCIES, cap, money, number, possessive

TEXTS = load_texts("comparison")


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


def twin(rng: random.Random) -> Twin:
    m = rng.choice(MEASURES)
    n = rng.choice([2, 3, 3, 4, 4, 5])
    subjects, currency = m.subjects(rng, n), rng.choice(CURRENCIES)
    values: list[int] = []
    while len(set(values)) < n:
        centre = rng.randrange(m.low, m.high, m.step)
        values = [
            max(m.low, centre + rng.randint(-12, 12) * m.step * (rng.choice([1, 1, 7]) if m.name == "price" else 1)) for _ in range(n)
        ]
    # In the second state the value of i moves past that of j.
    i, j = rng.sample(range(n), 2)
    moved = [*values]
    tries = 0
    while len(set(moved)) < n or (moved[i] > values[j]) == (values[i] > values[j]):
        tries += 1
        moved[i] = max(m.low, values[j] + (1 if values[i] < values[j] else -1) * m.step * rng.randint(1, 4 + tries // 8))
        if tries > 60:
            return twin(rng)
    # Chained: the text gives the value of i only as a difference from another subject, the anchor.
    chained = (rng.random() < 0.5 and m.name != "age") or (m.name == "age" and rng.random() < 0.4)
    anchor = rng.choice([k for k in range(n) if k != i])
    form, order, shape = rng.choice(m.tell), rng.sample(range(n), n), rng.random()
    chain_forms = (rng.choice(m.chain_more), rng.choice(m.chain_less))
    title = rng.choice([None, cap(m.name), "Comparison", "Overview", "Notes"])
    unit = {"price": currency, "weight": "g", "duration": "min", "distance": "m", "age": "years", "points": ""}[m.name]

    def difference(local: random.Random, d: int) -> str:
        return number(local, d) if m.name in ("age", "points") else m.say(local, d, currency)

    def render(now: list[int], local: random.Random) -> State:
        if not chained and shape < 0.15:
            return table(["", f"{m.name} ({unit})" if unit else m.name], [[cap(subjects[k]), now[k]] for k in order])
        if not chained and shape < 0.3:
            return [{"of": subjects[k], m.name: now[k] if m.name in ("age", "points") else m.say(local, now[k], currency)} for k in order]
        lines = []
        for k in order:
            if chained and k == i:
                d = now[i] - now[anchor]
                lines.append(chain_forms[d < 0].format(x=subjects[i], y=subjects[anchor], d=difference(local, abs(d))))
            else:
                lines.append(form.format(s=subjects[k], v=m.say(local, now[k], currency)))
        return lay_out(local, with_asides(local, [cap(line) + "." for line in lines]), title)

    if chained and m.name in ("age", "points") and 1 in (abs(values[i] - values[anchor]), abs(moved[i] - values[anchor])):
        return twin(rng)  # it would read 'one years older'
    cases = [values, moved]
    rng.shuffle(cases)
    states = both(render, cases, rng)
    truth = (cases[0][i] > cases[0][j], cases[1][i] > cases[1][j])

    def ask(forms: Sequence[str]) -> list[str]:
        return [t for f in forms for c in [f.format(x=subjects[i], y=subjects[j])] for t in formatted(TEXTS["ask_claim"], C=cap(c), c=c)]

    questions = [
        polar(
            rng,
            truth,
            ask(m.more),
            ask(m.less),
            (rng.choice(m.more).format(x=subjects[i], y=subjects[j]), rng.choice(m.less).format(x=subjects[i], y=subjects[j])),
        )
    ]
    ranked = [sorted(range(n), key=lambda k: -case[k]) for case in cases]
    asked = [(m.most, 0), (m.least, -1)]
    if n > 2:
        asked.append((formatted(TEXTS["ranked_second"], measure=m.name), 1))
    telling = [(forms, tuple(subjects[r[place]] for r in ranked)) for forms, place in asked if ranked[0][place] != ranked[1][place]]
    if telling:
        for forms, right in rng.sample(telling, min(len(telling), rng.choice([1, 1, 2]))):
            questions.append(pick(rng, forms, right, subjects, most=6))
    if n > 2 and rng.random() < 0.5:
        place = tuple(r.index(i) for r in ranked)
        questions.append(
            score(
                f"Rank of {subjects[i]} by {m.name}, lowest first",
                [f"{p} of {n} from below" if p > 1 else "lowest" for p in range(1, n + 1)],
                tuple(n - 1 - p for p in place),
            )
        )
    if rng.random() < 0.5:
        gaps = tuple(abs(case[i] - case[j]) for case in cases)
        if gaps[0] != gaps[1]:

            def tell(g: int) -> str:
                return difference(random.Random(g), g)

            questions.append(
                pick(
                    rng,
                    formatted(TEXTS["ask_difference"], x=subjects[i], y=subjects[j], measure=m.name),
                    (tell(gaps[0]), tell(gaps[1])),
                    [*(tell(g * m.step) for g in rng.sample(range(1, 14), 3) if g * m.step not in gaps), tell(gaps[0] + gaps[1])],
                    most=6,
                )
            )
    return Twin(states, questions)
