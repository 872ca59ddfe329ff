"""Teaches who did what to whom, in active, passive and cleft sentences with the names in either order."""

import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar, without_repeats
from .parts.layouts import lay_out, with_asides
from .parts.people import GOODS, firms, people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import Twin
from .parts.wording import a, cap

TEXTS = load_texts("who_did_what")


@dataclass(frozen=True)
class Deed:
    """tell, ask: {x} did it to {y}, with the thing {it} if has_thing. doer, done_to: questions for the two roles."""

    tell: tuple[str, ...]
    ask: tuple[str, ...]
    doer: tuple[str, ...]
    done_to: tuple[str, ...]
    has_thing: bool = False


DEEDS = [Deed(**row) for row in TEXTS["deeds"]]


PRESENT = (" has ", " is ", " will ", " hands ", " owes ", " takes ", " passes ", " steps ")


def wrapped(wrap: str, clause: str, month: str) -> str:
    """The clause as a sentence. A clause in the present gets no past date."""
    if ("Last week" in wrap or "month" in wrap) and any(word in clause for word in PRESENT):
        wrap = "{s}."
    return cap(wrap.format(s=clause, month=month))


def twin(rng: random.Random) -> Twin:
    deed = rng.choice(DEEDS)
    persons = [p.name for p in people(rng, 5)]
    persons_are_firms = deed.has_thing and rng.random() < 0.3
    if persons_are_firms:
        persons = firms(rng, 5)
    x, y, z, u, v = persons
    it = a(rng.choice(GOODS).one)
    # Another deed, between other people, as a distraction. With things in both, 'the thing' would be unclear.
    others = [other for other in DEEDS if other is not deed and not (other.has_thing and deed.has_thing)]
    second = rng.choice(others) if rng.random() < 0.5 else None
    form, wrap, wrap2 = rng.randrange(6), rng.choice(TEXTS["wraps"]), rng.choice(TEXTS["wraps"])
    # The other state has the names swapped, in another form or in the same.
    mirror = rng.random() < 0.5
    second_form, month = rng.randrange(6), rng.choice(["March", "May", "October", "January"])
    pool = TEXTS["noise_of_firms"] if persons_are_firms else TEXTS["noise"] + TEXTS["noise_of_firms"]
    noise, title = rng.sample(pool, rng.randint(0 if second else 1, 2)), rng.choice(TEXTS["titles"])
    pair = (u, rng.choice([x, y, v]))
    pair = pair if rng.random() < 0.5 else pair[::-1]
    other_form = rng.randrange(6) if mirror else form

    def render(case: tuple[str, str, int], local: random.Random) -> object:
        doer, other, number = case
        told = [wrapped(wrap, deed.tell[number].format(x=doer, y=other, it=it), month)]
        if second:
            told.append(wrapped(wrap2, second.tell[second_form].format(x=pair[0], y=pair[1], it=it2), "April"))
        told += [line.format(z=z) for line in noise]
        local.shuffle(told)
        return lay_out(local, with_asides(local, told), title)

    it2 = a(rng.choice(GOODS).one)
    states = both(render, [(x, y, form), (y, x, other_form)], rng)

    def claims(p: str, q: str) -> list[str]:
        """Questions whether p did it to q."""
        return [ask for claim in formatted(deed.ask, x=p, y=q) for ask in formatted(TEXTS["ask_claim"], s=claim, S=cap(claim))]

    flip = rng.random() < 0.5
    truth = (not flip, flip)
    p, q = (y, x) if flip else (x, y)
    questions = [polar(rng, truth, claims(p, q), claims(q, p))]
    roles = rng.sample([(deed.doer, (x, y)), (deed.done_to, (y, x))], rng.choice([1, 1, 2]))
    for forms, right in roles:
        if noise or second:  # the others in the text have neither role
            questions.append(pick(rng, forms, right, [z, *pair], most=5))
        else:
            questions.append(pick(rng, forms, right, [], most=2, fixed=True))
    if rng.random() < 0.6:
        tell = rng.choice(deed.tell)
        first, second_line, *wrong = (cap(tell.format(x=one, y=two, it=it)) + "." for one, two in ((x, y), (y, x), (z, x), (y, z)))
        questions.append(pick(rng, TEXTS["which_sentence"], (first, second_line), wrong, most=4, opaque=0.8, fixed=True))
    if second and rng.random() < 0.3:
        questions.append(polar(rng, truth, claims(p, q)[-6:], claims(q, p)[-6:]))
    return Twin(states, without_repeats(questions))
