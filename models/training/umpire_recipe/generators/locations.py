"""Teaches where a thing is after moves: the last move counts, and what is carried moves along until it is put down."""

import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar
from .parts.people import people
from .parts.shapes import fill, filled, formatted, layout, made, padded
from .parts.text_files import load_texts
from .parts.twin import Twin, score
from .parts.wording import cap

TEXTS = load_texts("locations")


@dataclass(frozen=True)
class Setting:
    """things: with their article. places: with their preposition, as 'in the cellar'. digital: nobody can carry the things."""

    things: tuple[str, ...]
    places: tuple[str, ...]
    digital: bool = False


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    return carried(rng, setting) if rng.random() < 0.3 and not setting.digital else moved(rng, setting)


def moved(rng: random.Random, setting: Setting) -> Twin:
    """Things are moved. The last two moves of one thing swap their places, or the last moves of two things do."""
    staff, things = people(rng, 3), rng.sample(setting.things, rng.choice([2, 3]))
    start, one, two, other, spare = rng.sample(setting.places, 5)
    same_thing = rng.random() < 0.5
    # The moves of each state, as (thing, place).
    if same_thing:
        worlds = [[(things[0], x), (things[1], other), (things[0], y)] for x, y in ((one, two), (two, one))]
    else:
        worlds = [[(things[0], x), (things[1], y)] for x, y in ((one, two), (two, one))]
    movers = [rng.choice(staff).name for _ in range(3)]

    def render(world: list[tuple[str, str]], draw: random.Random) -> str:
        # No thing starts at a place that it is moved to.
        facts = [fill(draw, TEXTS["starts"], t=thing, x=start if i == 0 else spare) for i, thing in enumerate(things)]
        for (thing, place), mover in zip(world, movers, strict=False):
            facts.append(fill(draw, TEXTS["moves"], p=mover, t=thing, x=place))
            if draw.random() < 0.4:
                forms = TEXTS["mentions"] if setting.digital else TEXTS["visits"] + TEXTS["mentions"]
                facts.append(fill(draw, forms, p=staff[2].name, t=thing, x=draw.choice([start, spare])))
        return layout(draw, padded(draw, facts, 2), mix=False)

    ends = [{thing: spare if i else start for i, thing in enumerate(things)} for _ in worlds]
    for end, world in zip(ends, worlds, strict=False):
        end.update(dict(world))
    questions = []
    for thing in things[:1] if same_thing else things[:2]:
        for asked in (one, two):
            truth = (ends[0][thing] == asked, ends[1][thing] == asked)
            yes, no = filled(TEXTS["is"], t=thing, x=asked), filled(TEXTS["is_not"], t=thing, x=asked)
            questions.append(polar(rng, truth, yes, no, TEXTS["is_meaning"]))
        places = [start, one, two, other, spare] if same_thing else [start, one, two, spare]
        questions.append(pick(rng, filled(TEXTS["where"], t=thing), (ends[0][thing], ends[1][thing]), places))
    if same_thing:
        questions.append(pick(rng, filled(TEXTS["where_before"], t=things[0]), (one, two), [start, other, spare]))
    else:
        held = [next(thing for thing, place in end.items() if place == one) for end in ends]
        questions.append(pick(rng, formatted(TEXTS["what_is_there"], one=one), (held[0], held[1]), things))
    return made(rng, both(render, worlds, rng), questions)


def carried(rng: random.Random, setting: Setting) -> Twin:
    """Somebody picks a thing up and goes elsewhere, with or without it."""
    who, other = (person.name for person in people(rng, 2))
    thing, second = rng.sample(setting.things, 2)
    here, there, third = rng.sample(setting.places, 3)

    def render(kept: bool, draw: random.Random) -> str:
        keep = draw.choice(list(zip(TEXTS["kept"], TEXTS["dropped"], strict=False)))[0 if kept else 1].format(p=who)
        facts = [fill(draw, TEXTS["carried"], p=who, t=thing, x=here, y=there, keep=keep)]
        facts.insert(draw.randint(0, 1), fill(draw, TEXTS["starts"], t=second, x=third))
        if draw.random() < 0.6:
            facts.insert(draw.randint(0, 2), fill(draw, TEXTS["visits"], p=other, t=second, x=draw.choice([here, there, third])))
        return layout(draw, padded(draw, facts, 2), mix=False)

    questions = [
        polar(rng, (place == there, place == here), filled(TEXTS["is"], t=thing, x=place), filled(TEXTS["is_not"], t=thing, x=place))
        for place in (here, there)
    ]
    names = {"who": who, "Who": cap(who), "thing": thing, "Thing": cap(thing)}
    questions.append(polar(rng, (True, False), formatted(TEXTS["together"], **names), formatted(TEXTS["apart"], **names)))
    questions.append(pick(rng, filled(TEXTS["where"], t=thing), (there, here), [third]))
    questions.append(score(rng.choice(formatted(TEXTS["how_often"], thing=thing)), ["never", "once"], (1, 0)))
    return made(rng, both(render, (True, False), rng), questions)
