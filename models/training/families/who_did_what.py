"""Teaches roles: who did what to whom, in active, passive and cleft wording with the names in either order."""

import random
from dataclasses import dataclass

from .asking import both, pick, polar, without_repeats
from .layouts import lay_out, with_asides
from .people import GOODS, firms, people
from .shapes import formatted
from .text_files import load_texts
from .twin import Twin
from .wording import a, cap

TEXTS = load_texts("who_did_what")


@dataclass(frozen=True)
class Deed:
    """statements and questions with {x} the doer, {y} the other side and {it} the thing; doer and done_to name the two roles in a question."""

    tell: tuple[str, ...]
    ask: tuple[str, ...]
    doer: tuple[str, ...]
    done_to: tuple[str, ...]


DEEDS = [Deed(**row) for row in TEXTS["deeds"]]


PRESENT = (" has ", " is ", " will ", " hands ", " owes ", " takes ", " passes ", " steps ")


def wrapped(wrap: str, clause: str, month: str) -> str:
    """The clause as a sentence; a past date is left out where the clause is in the present."""
    if ("Last week" in wrap or "month" in wrap) and any(word in clause for word in PRESENT):
        wrap = "{s}."
    return cap(wrap.format(s=clause, month=month))


def twin(rng: random.Random) -> Twin:
    deed = rng.choice(DEEDS)
    persons = [p.name for p in people(rng, 5)]
    persons_are_firms = deed in (DEEDS[0], DEEDS[1], DEEDS[6]) and rng.random() < 0.3
    if persons_are_firms:
        persons = firms(rng, 5)
    x, y, z, u, v = persons
    it = a(rng.choice(GOODS).one)
    things = (DEEDS[0], DEEDS[1], DEEDS[6])  # deeds with a thing: two of them in one text would make 'the thing' unclear
    second = (
        rng.choice([d for d in DEEDS if d is not deed and not (d in things and deed in things)]) if rng.random() < 0.5 else None
    )  # another deed, between others, to tempt
    form, wrap, wrap2 = rng.randrange(6), rng.choice(TEXTS["wraps"]), rng.choice(TEXTS["wraps"])
    # the same wording with the two swapped, or another wording with the names in the same places
    mirror = rng.random() < 0.5
    second_form, month = rng.randrange(6), rng.choice(["March", "May", "October", "January"])
    noise, title = (
        rng.sample(TEXTS["noise"][-3:] if persons_are_firms else TEXTS["noise"], rng.randint(0 if second else 1, 2)),
        rng.choice(TEXTS["titles"]),
    )
    pair = (u, rng.choice([x, y, v]))
    pair = pair if rng.random() < 0.5 else pair[::-1]
    other_form = rng.randrange(6) if mirror else form
    seconds = (form, other_form)

    def render(case: tuple[str, str, int], local: random.Random) -> object:
        doer, other, number = case
        told = [wrapped(wrap, deed.tell[number].format(x=doer, y=other, it=it), month)]
        if second:
            told.append(wrapped(wrap2, second.tell[second_form].format(x=pair[0], y=pair[1], it=it2), "April"))
        told += [form_.format(z=z) for form_ in noise]
        local.shuffle(told)
        return lay_out(local, with_asides(local, told), title)

    it2 = a(rng.choice(GOODS).one)
    states = both(render, [(x, y, seconds[0]), (y, x, seconds[1])], rng)

    # ask of the true direction in the first state: 'x is the seller' holds in state one only
    def plain(p, q):
        return [w for f in deed.ask for s in [f.format(x=p, y=q)] for w in formatted(TEXTS["ask_claim"], S=cap(s), s=s)]

    flip = rng.random() < 0.5
    truth = (not flip, flip)
    p, q = (y, x) if flip else (x, y)
    questions = [polar(rng, truth, plain(p, q), plain(q, p))]
    roles = rng.sample([(deed.doer, (x, y)), (deed.done_to, (y, x))], rng.choice([1, 1, 2]))
    for forms_, right in roles:
        # only the deed asked about has these roles, so the others are wrong
        questions.append(
            pick(rng, forms_, right, [z, *pair] if noise or second else [z], most=5)
            if noise or second
            else pick(rng, forms_, right, [], most=2, fixed=True)
        )
    if rng.random() < 0.6:
        tell = rng.choice(deed.tell)
        lines = {name: cap(tell.format(x=one, y=two, it=it)) + "." for name, (one, two) in {"first": (x, y), "second": (y, x)}.items()}
        extra = [cap(tell.format(x=one, y=two, it=it)) + "." for one, two in ((z, x), (y, z))]
        questions.append(pick(rng, TEXTS["which_sentence"], (lines["first"], lines["second"]), extra, most=4, opaque=0.8, fixed=True))
    if second and rng.random() < 0.3:
        questions.append(polar(rng, truth, plain(p, q)[-6:], plain(q, p)[-6:]))
    return Twin(states, without_repeats(questions))
