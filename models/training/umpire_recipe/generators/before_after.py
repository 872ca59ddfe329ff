"""Teaches the order of events that are told out of order: with 'before', 'after', 'until' and 'once', or by the clock."""

import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar
from .parts.layouts import lay_out, with_asides
from .parts.people import people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.times import clock
from .parts.twin import Twin
from .parts.wording import cap, words

TEXTS = load_texts("before_after")


@dataclass(frozen=True)
class Event:
    """past: a clause in the past tense. noun: the event as a noun."""

    past: str
    noun: str


SETTINGS = {name: [Event(**row) for row in rows] for name, rows in TEXTS["settings"].items()}


def twin(rng: random.Random) -> Twin:
    title = rng.choice(list(SETTINGS))
    who = people(rng, 1)[0].name
    events = [Event(e.past.format(who=who), e.noun.format(who=who)) for e in rng.sample(SETTINGS[title], rng.randint(3, 5))]
    # In the second order two neighbours are swapped.
    order = list(range(len(events)))
    i = rng.randrange(len(order) - 1)
    other = [*order]
    other[i], other[i + 1] = other[i + 1], other[i]
    orders = [order, other] if rng.random() < 0.5 else [other, order]
    style = rng.choice(["timed", "relative", "relative", "log"])
    start, steps = rng.randrange(360, 780, 5), [rng.randrange(5, 95, 5) for _ in order]
    forms, tell_order = [rng.choice(TEXTS["relative"]) for _ in order], rng.sample(range(len(order)), len(order))
    timed_form = rng.choice(TEXTS["timed"])

    def render(sequence: list[int], local: random.Random) -> object:
        if style == "relative":  # the order follows from its neighbouring pairs, told in any order
            pairs = [(forms[k], events[sequence[k]], events[sequence[k + 1]]) for k in tell_order if k < len(sequence) - 1]
            told = [cap(form.format(x=one.past, y=two.past)) + "." for form, one, two in pairs]
            return lay_out(local, with_asides(local, told, 1), title)
        times = [start + sum(steps[:k]) for k in range(len(sequence))]
        at = {event: times[k] for k, event in enumerate(sequence)}
        told = sorted(range(len(sequence)), key=lambda event: tell_order.index(event))
        if style == "log":
            rows = [(f"{at[e] // 60:02d}:{at[e] % 60:02d}", events[e].past) for e in told]
            if local.random() < 0.4:
                return [{"time": time, "event": past} for time, past in rows]
            return "\n".join(f"{time} {past}" for time, past in rows)
        return lay_out(local, [cap(timed_form.format(t=clock(local, at[e]), x=events[e].past)) + "." for e in told], title)

    states = both(render, orders, rng)
    x, y = (i, i + 1) if rng.random() < 0.5 else (i + 1, i)

    def before(p: int, q: int) -> tuple[bool, bool]:
        return (orders[0].index(p) < orders[0].index(q), orders[1].index(p) < orders[1].index(q))

    nouns = [e.noun for e in events]
    pair = {"x": nouns[x], "y": nouns[y], "X": cap(nouns[x]), "Y": cap(nouns[y])}
    questions = [polar(rng, before(x, y), formatted(TEXTS["earlier"], **pair), formatted(TEXTS["later"], **pair))]
    first, last = tuple(nouns[o[0]] for o in orders), tuple(nouns[o[-1]] for o in orders)
    second = tuple(nouns[o[1]] for o in orders)
    asked = [(TEXTS["ask_first"], first), (TEXTS["ask_last"], last), (TEXTS["ask_second"], second)]
    telling = [entry for entry in asked if entry[1][0] != entry[1][1]]
    if telling:
        forms_, right = rng.choice(telling)
        questions.append(pick(rng, forms_, right, nouns, most=5, fixed=True))
    if not telling or rng.random() < 0.5:
        nothing = "nothing that is told here"
        following = tuple(nouns[o[o.index(x) + 1]] if o.index(x) + 1 < len(o) else nothing for o in orders)
        others = [n for k, n in enumerate(nouns) if k != x]
        ask_next = formatted(TEXTS["ask_next"], event=nouns[x])
        questions.append(pick(rng, ask_next, following, [*others, nothing], most=6, fixed=True))
    if rng.random() < 0.5:
        position = tuple(o.index(x) for o in orders)
        right = (words(position[0]), words(position[1]))
        counts = [words(k) for k in range(len(nouns))]
        questions.append(pick(rng, formatted(TEXTS["how_many_before"], event=nouns[x]), right, counts, most=5, fixed=True))
    if style != "relative" and rng.random() < 0.6:
        point = start + sum(steps[: i + 1])  # the later time of the swapped events
        questions.append(
            polar(
                rng,
                tuple(o.index(x) <= i for o in orders),
                [f"{cap(nouns[x])} came before {clock(rng, point)}.", f"By {clock(rng, point - 1)}, was {nouns[x]} a thing of the past?"],
                [f"{cap(nouns[x])} came at {clock(rng, point)} or later.", f"Before {clock(rng, point)}, was {nouns[x]} still to come?"],
            )
        )
    return Twin(states, questions)
