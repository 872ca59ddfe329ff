"""Teaches who or what holds a position now, held it before or is to hold it later, next to names that are merely mentioned."""

import random

from .parts.asking import both, described, pick, polar
from .parts.people import CITIES, STREETS, firms, people
from .parts.shapes import fill, filled, layout, made, padded
from .parts.text_files import load_texts
from .parts.times import MONTHS
from .parts.twin import Twin

TEXTS = load_texts("current_or_former")


def twin(rng: random.Random) -> Twin:
    kind = rng.choice(["person", "person", "firm", "site"])
    if kind == "person":
        names, slot = [person.full if rng.random() < 0.3 else person.name for person in people(rng, 4)], rng.choice(TEXTS["posts"])
    elif kind == "firm":
        names, slot = firms(rng, 4), rng.choice(TEXTS["suppliers"])
    else:
        names, slot = rng.sample(CITIES, 4) if rng.random() < 0.5 else rng.sample(STREETS, 4), rng.choice(TEXTS["sites"])
    x, y, z, w = names
    month, later = rng.sample(MONTHS, 2)
    with_next = rng.random() < 0.6
    # Before, now and next in each state: x and y swap places, or y and z do.
    worlds = [(x, y, z), (y, x, z)] if not with_next or rng.random() < 0.6 else [(x, y, z), (x, z, y)]

    def render(world: tuple[str, str, str], draw: random.Random) -> str:
        forms = TEXTS["move"] if kind == "site" else TEXTS["change"]
        facts = [fill(draw, forms, x=world[0], y=world[1], m=month, post=slot, site=slot)]
        if with_next:
            facts.append(fill(draw, TEXTS["next"], z=world[2], m2=later))
        if draw.random() < 0.5:
            facts.insert(draw.randint(0, len(facts)), fill(draw, TEXTS["never"], w=w))
        return layout(draw, padded(draw, facts), draw.choice(TEXTS["headings"]), mix=False)

    wording = "site" if kind == "site" else "post"
    values = {"post": slot, "site": slot}
    former, current = [world[0] for world in worlds], [world[1] for world in worlds]
    questions = []
    for name in current:
        # 'No longer' is false in both states for a name that is yet to come, so only the present is asked.
        now = filled(TEXTS["now"][wording], x=name, **values)
        past = filled(TEXTS["past"][wording], x=name, **values) if name in former else []
        questions.append(polar(rng, (current[0] == name, current[1] == name), now, past, ("so at present", "not at present")))
        index = [("former", "current", "planned")[world.index(name)] for world in worlds]
        questions.append(described(rng, filled(TEXTS["ask_status"], x=name, slot=slot), TEXTS["statuses"], (index[0], index[1])))
    questions.append(pick(rng, filled(TEXTS["which_now"][wording], **values), (current[0], current[1]), names))
    if former[0] != former[1]:
        questions.append(pick(rng, filled(TEXTS["which_before"][wording], **values), (former[0], former[1]), names))
    return made(rng, both(render, worlds, rng), questions)
