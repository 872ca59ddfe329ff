"""Teaches the order of events told out of order: before, after, until, once, by dates, by clock and by 'which followed'."""

import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .layouts import lay_out, with_asides
from .people import people
from .shapes import formatted
from .text_files import load_texts
from .times import clock
from .twin import Twin
from .wording import cap, words

TEXTS = load_texts("before_after")


@dataclass(frozen=True)
class Event:
    """past: a clause in the past tense; noun: the event as a thing."""

    past: str
    noun: str


SETTINGS = {name: [Event(**row) for row in rows] for name, rows in TEXTS["settings"].items()}
# two events in order: {x} first, {y} later; lower case, no full stop


def twin(rng: random.Random) -> Twin:
    title = rng.choice(list(SETTINGS))
    who = people(rng, 1)[0].name
    events = [Event(e.past.format(who=who), e.noun.format(who=who)) for e in rng.sample(SETTINGS[title], rng.randint(3, 5))]
    # the second order: two neighbours swapped (or one event moved to the other end)
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
        if style == "relative":  # every neighbouring pair, told in any order, so that the whole order follows
            pairs = [
                cap(forms[k].format(x=events[sequence[k]].past, y=events[sequence[k + 1]].past)) + "."
                for k in tell_order
                if k < len(sequence) - 1
            ]
            return lay_out(local, with_asides(local, pairs, 1), title)
        times = [start + sum(steps[:k]) for k in range(len(sequence))]
        at = {event: times[k] for k, event in enumerate(sequence)}
        told = sorted(range(len(sequence)), key=lambda event: tell_order.index(event))
        if style == "log":
            return (
                [{"time": f"{at[e] // 60:02d}:{at[e] % 60:02d}", "event": events[e].past} for e in told]
                if local.random() < 0.4
                else "\n".join(f"{at[e] // 60:02d}:{at[e] % 60:02d} {events[e].past}" for e in told)
            )
        return lay_out(local, [cap(timed_form.format(t=clock(local, at[e]), x=events[e].past)) + "." for e in told], title)

    states = both(render, orders, rng)
    x, y = (i, i + 1) if rng.random() < 0.5 else (i + 1, i)

    def before(p, q):
        return (orders[0].index(p) < orders[0].index(q), orders[1].index(p) < orders[1].index(q))

    def ask(forms_, p, q):
        return [f.format(x=events[p].noun, y=events[q].noun, X=cap(events[p].noun), Y=cap(events[q].noun)) for f in forms_]

    questions = [polar(rng, before(x, y), ask(TEXTS["earlier"], x, y), ask(TEXTS["later"], x, y))]
    nouns = [e.noun for e in events]
    first, last = tuple(nouns[o[0]] for o in orders), tuple(nouns[o[-1]] for o in orders)
    second = tuple(nouns[o[1]] for o in orders)
    asked = [(TEXTS["ask_first"], first), (TEXTS["ask_last"], last), (TEXTS["ask_second"], second)]
    telling = [entry for entry in asked if entry[1][0] != entry[1][1]]
    if telling:
        forms_, right = rng.choice(telling)
        questions.append(pick(rng, forms_, right, nouns, most=5, fixed=True))
    if not telling or rng.random() < 0.5:  # who comes right before or after the pair
        following = tuple(nouns[o[o.index(x) + 1]] if o.index(x) + 1 < len(o) else "nothing that is told here" for o in orders)
        questions.append(
            pick(
                rng,
                formatted(TEXTS["ask_next"], event=nouns[x]),
                following,
                [n for k, n in enumerate(nouns) if k != x] + ["nothing that is told here"],
                most=6,
                fixed=True,
            )
        )
    if rng.random() < 0.5:
        position = tuple(o.index(x) for o in orders)
        questions.append(
            pick(
                rng,
                formatted(TEXTS["how_many_before"], event=nouns[x]),
                (words(position[0]), words(position[1])),
                [words(k) for k in range(len(nouns))],
                most=5,
                fixed=True,
            )
        )
    if style != "relative" and rng.random() < 0.6:
        point = start + sum(steps[: i + 1])  # the later of the two places that the swapped events take
        questions.append(
            polar(
                rng,
                tuple(o.index(x) <= i for o in orders),
                [f"{cap(nouns[x])} came before {clock(rng, point)}.", f"By {clock(rng, point - 1)}, was {nouns[x]} a thing of the past?"],
                [f"{cap(nouns[x])} came at {clock(rng, point)} or later.", f"Before {clock(rng, point)}, was {nouns[x]} still to come?"],
            )
        )
    return Twin(states, questions)
