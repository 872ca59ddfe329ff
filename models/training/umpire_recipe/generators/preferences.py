"""Teaches what somebody wants, as opposed to what they rule out, merely accept or used to want, or what another wants."""

import random
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.people import people
from .parts.shapes import fill, filled, layout, made, padded
from .parts.text_files import load_texts
from .parts.twin import State, Twin

TEXTS = load_texts("preferences")


@dataclass(frozen=True)
class Setting:
    """what: what is being chosen. options: noun phrases that fit every form."""

    what: str
    options: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    first, second, third, fourth = rng.sample(setting.options, 4)
    one, two = people(rng, 2)
    if rng.random() < 0.3:
        return graded(rng, setting)
    kind = rng.choice(["own", "people", "people"])

    def render(flipped: bool, draw: random.Random) -> State:
        # own: one person's wish and rejection swap. people: two people want and reject the opposite.
        good, bad = (second, first) if flipped else (first, second)
        like, dislike = draw.choice(TEXTS["wants"]), draw.choice(TEXTS["rejects"])
        facts = [fill(draw, [like], p=one.name, his=one.his, x=good), fill(draw, [dislike], p=one.name, x=bad)]
        if kind == "people":
            like_2 = draw.choice([form for form in TEXTS["wants"] if form != like])
            dislike_2 = draw.choice([form for form in TEXTS["rejects"] if form != dislike])
            other = [fill(draw, [like_2], p=two.name, his=two.his, x=bad), fill(draw, [dislike_2], p=two.name, x=good)]
            (likes, dislikes), (likes_2, dislikes_2) = facts, other
            orders = [likes, likes_2], [likes, dislikes_2, likes_2], [dislikes, dislikes_2, likes, likes_2], [likes_2, likes, dislikes]
            facts = draw.choice(orders)
        else:
            draw.shuffle(facts)
        if draw.random() < 0.6:
            facts.insert(draw.randint(0, len(facts)), fill(draw, TEXTS["accepts"], p=one.name, x=third))
        if draw.random() < 0.5:
            facts.insert(draw.randint(0, len(facts)), fill(draw, TEXTS["once"], p=one.name, x=fourth))
        if draw.random() < 0.2:
            return {"about": setting.what, "notes": facts}
        if draw.random() < 0.5:
            facts.insert(0, f"This is about {setting.what}.")
        return layout(draw, padded(draw, facts, 2), f"Wishes ({setting.what})", mix=False)

    questions = []
    # With two people the text may leave rejections out, so questions are about wishes only.
    for person, (good, bad) in ((one, (first, second)), (two, (second, first))):
        if person is two and kind == "own":
            continue
        no_forms, otherwise = (), "the text does not say it is wished for"
        if kind == "own":
            no_forms, otherwise = TEXTS["dislikes"], "the text says it is unwanted"
        for x, holds in ((good, (True, False)), (bad, (False, True))):
            yes, no = filled(TEXTS["likes"], p=person.name, x=x), filled(no_forms, p=person.name, x=x)
            questions.append(polar(rng, holds, yes, no, ("the text says it is wished for", otherwise)))
        if kind == "own":
            ask_attitude = filled(TEXTS["ask_attitude"], p=person.name, x=good)
            questions.append(described(rng, ask_attitude, TEXTS["attitudes"], ("wanted", "rejected")))
            questions.append(pick(rng, filled(TEXTS["what_rejected"], p=person.name), (bad, good), [third, fourth]))
        questions.append(pick(rng, filled(TEXTS["what_wanted"], p=person.name, w=setting.what), (good, bad), [third, fourth]))
    if kind == "people":
        questions.append(pick(rng, filled(TEXTS["who_wants"], x=first), (one.name, two.name), [], fixed=True))
    return made(rng, both(render, (False, True), rng), questions)


def graded(rng: random.Random, setting: Setting) -> Twin:
    """One person has two of four attitudes to two things; they swap."""
    who, (first, second) = people(rng, 1)[0], rng.sample(setting.options, 2)
    here, there = rng.sample(list(TEXTS["attitudes"]), 2)
    forms = {"wanted": TEXTS["wants"], "rejected": TEXTS["rejects"], "acceptable": TEXTS["accepts"], "unknown": TEXTS["once"]}

    def render(world: tuple[str, str], draw: random.Random) -> State:
        ways = {attitude: draw.choice(options) for attitude, options in forms.items()}
        facts = [fill(draw, [ways[attitude]], p=who.name, his=who.his, x=x) for x, attitude in zip((first, second), world, strict=False)]
        draw.shuffle(facts)
        return layout(draw, padded(draw, facts, 3), f"Wishes ({setting.what})", mix=False)

    questions = []
    for x, attitudes in ((first, (here, there)), (second, (there, here))):
        questions.append(described(rng, filled(TEXTS["ask_attitude"], p=who.name, x=x), TEXTS["attitudes"], attitudes))
        if "wanted" in attitudes:  # accepting a thing, or saying nothing about it, is not wanting it
            yes, no = filled(TEXTS["wants_shown"], p=who.name, x=x), filled(TEXTS["wants_not_shown"], p=who.name, x=x)
            questions.append(polar(rng, (attitudes[0] == "wanted", attitudes[1] == "wanted"), yes, no))
        if "rejected" in attitudes:
            yes, no = filled(TEXTS["ruled_out"], p=who.name, x=x), filled(TEXTS["not_ruled_out"], p=who.name, x=x)
            questions.append(polar(rng, (attitudes[0] == "rejected", attitudes[1] == "rejected"), yes, no))
    return made(rng, both(render, ((here, there), (there, here)), rng), questions)
