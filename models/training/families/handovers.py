"""Teaches who has a task or thing now after handovers: passed on, offered but declined, lent and given back, covered for a while."""

import random

from .asking import both, described, pick, polar
from .people import Person, people
from .shapes import capital, fill, filled, formatted, layout, made, padded
from .text_files import load_texts
from .times import WEEKDAYS
from .twin import State, Twin, score

TEXTS = load_texts("handovers")
# tasks and things


def twin(rng: random.Random) -> Twin:
    thing = rng.choice(TEXTS["objects"])
    staff = people(rng, 4)
    kind = rng.choice(["offer", "return", "chain"])
    days = sorted(rng.sample(range(5), 3))

    def render(flipped: bool, draw: random.Random) -> State:
        a, b, c, d = staff
        if kind == "chain" and flipped:
            b, c = c, b
        names = [WEEKDAYS[day] for day in days]
        facts = [fill(draw, TEXTS["begins"], p=a.name, x=thing), fill(draw, TEXTS["passes"], p=a.name, q=b.name, x=thing, d=names[0])]
        if kind == "chain":
            facts.append(fill(draw, TEXTS["passes"], p=b.name, q=c.name, x=thing, d=names[1]))
            if draw.random() < 0.5:
                facts.append(fill(draw, TEXTS["offers"], p=c.name, r=d.name, x=thing, d=names[2]))
        elif kind == "offer":
            pair = draw.randrange(len(TEXTS["offers"]))
            facts.append(fill(draw, [(TEXTS["offers"] if flipped else TEXTS["accepts"])[pair]], p=b.name, r=c.name, x=thing, d=names[1]))
        else:
            pair = draw.randrange(len(TEXTS["returns"]))
            facts.append(fill(draw, [(TEXTS["keeps"] if flipped else TEXTS["returns"])[pair]], p=a.name, q=b.name, x=thing, d=names[1]))
            if draw.random() < 0.5:
                facts.insert(1, fill(draw, TEXTS["asked_only"], r=d.name, x=thing))
        shape = draw.random()
        if shape < 0.15:
            return {"about": thing, "entries": facts}
        if shape < 0.3:
            return [{"entry": i, "note": text} for i, text in enumerate(facts, 1)]
        return layout(draw, padded(draw, facts, 2), capital(thing), mix=False)

    a, b, c, d = staff
    holders: tuple[Person, Person] = {"chain": (c, b), "offer": (c, b), "return": (a, b)}[kind]
    names = [one.name for one in staff]
    questions = []
    for who in holders:
        holds = (holders[0] is who, holders[1] is who)
        questions.append(
            polar(
                rng, holds, filled(TEXTS["has"], p=who.name, x=thing), filled(TEXTS["has_not"], p=who.name, x=thing), TEXTS["has_meaning"]
            )
        )
    questions.append(pick(rng, filled(TEXTS["who_has"], x=thing), (holders[0].name, holders[1].name), names))
    count = {"chain": (2, 2), "offer": (2, 1), "return": (2, 1)}[kind]
    if count[0] != count[1]:
        questions.append(score(rng.choice(filled(TEXTS["how_often"], x=thing)), ["once", "twice"], (count[0] - 1, count[1] - 1)))
    if kind == "chain":
        questions.append(pick(rng, filled(TEXTS["who_had"], x=thing, p=a.name), (b.name, c.name), names))
        questions.append(
            polar(
                rng,
                (True, False),
                filled(TEXTS["passed_on"], b=b.name, c=c.name, x=thing),
                filled(TEXTS["passed_back"], b=b.name, c=c.name, x=thing),
            )
        )
    elif kind == "offer":
        questions.append(described(rng, formatted(TEXTS["ask_offer"], thing=thing, c=c.name), TEXTS["fates"], ("has it", "refused it")))
    else:
        questions.append(described(rng, formatted(TEXTS["ask_return"], thing=thing, b=b.name), TEXTS["fates"], ("gave it back", "has it")))
        questions.append(
            polar(
                rng,
                (True, False),
                filled(TEXTS["returned"], p=a.name, q=b.name, x=thing),
                filled(TEXTS["not_returned"], p=a.name, q=b.name, x=thing),
            )
        )
    return made(rng, both(render, (False, True), rng), questions)
