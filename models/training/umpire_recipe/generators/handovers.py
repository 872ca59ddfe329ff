"""Teaches who has a task or thing after handovers: passed on, offered but declined, lent and given back."""

import random

from .parts.asking import both, described, pick, polar
from .parts.people import Person, people
from .parts.shapes import fill, filled, formatted, layout, made, padded
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS
from .parts.twin import State, Twin, score
from .parts.wording import cap

TEXTS = load_texts("handovers")


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
        return layout(draw, padded(draw, facts, 2), cap(thing), mix=False)

    a, b, c, _ = staff
    holders: tuple[Person, Person] = {"chain": (c, b), "offer": (c, b), "return": (a, b)}[kind]
    names = [one.name for one in staff]
    questions = []
    for who in holders:
        holds = (holders[0] is who, holders[1] is who)
        has, has_not = filled(TEXTS["has"], p=who.name, x=thing), filled(TEXTS["has_not"], p=who.name, x=thing)
        questions.append(polar(rng, holds, has, has_not, TEXTS["has_meaning"]))
    questions.append(pick(rng, filled(TEXTS["who_has"], x=thing), (holders[0].name, holders[1].name), names))
    if kind != "chain":
        questions.append(score(rng.choice(filled(TEXTS["how_often"], x=thing)), ["once", "twice"], (1, 0)))
    if kind == "chain":
        questions.append(pick(rng, filled(TEXTS["who_had"], x=thing, p=a.name), (b.name, c.name), names))
        passed_on, passed_back = (filled(TEXTS[way], b=b.name, c=c.name, x=thing) for way in ("passed_on", "passed_back"))
        questions.append(polar(rng, (True, False), passed_on, passed_back))
    elif kind == "offer":
        questions.append(described(rng, formatted(TEXTS["ask_offer"], thing=thing, c=c.name), TEXTS["fates"], ("has it", "refused it")))
    else:
        questions.append(described(rng, formatted(TEXTS["ask_return"], thing=thing, b=b.name), TEXTS["fates"], ("gave it back", "has it")))
        returned, not_returned = (filled(TEXTS[way], p=a.name, q=b.name, x=thing) for way in ("returned", "not_returned"))
        questions.append(polar(rng, (True, False), returned, not_returned))
    return made(rng, both(render, (False, True), rng), questions)
