"""Teaches who was told what and so knows it: told directly or through others, copied in, left out, or only mentioned."""

import random

from .parts.asking import both, described, pick, polar
from .parts.people import people
from .parts.shapes import fill, filled, formatted, layout, made, padded
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS
from .parts.twin import State, Twin, score
from .parts.wording import cap, listed

TEXTS = load_texts("recipients")


def twin(rng: random.Random) -> Twin:
    return headers(rng) if rng.random() < 0.3 else talk(rng)


def talk(rng: random.Random) -> Twin:
    """One person is told and another is left out; they swap. Sometimes a person is told at second hand."""
    news, heading = rng.choice(TEXTS["news"])
    teller, one, two, further, idle = (person.name for person in people(rng, 5))
    relay = rng.random() < 0.35  # the person who is told tells the other
    passed, hidden = not relay and rng.random() < 0.5, not relay and rng.random() < 0.8

    def render(told: tuple[str, str], draw: random.Random) -> State:
        knows, lacks = told
        facts = [fill(draw, TEXTS["told"], p=teller, q=knows, n=news)]
        if passed or relay:
            facts.append(fill(draw, TEXTS["passed"], q=knows, s=lacks if relay else further))
        if hidden:
            facts.append(fill(draw, TEXTS["hidden"], r=lacks))
        if draw.random() < 0.6 or (not hidden and not relay):
            facts.insert(draw.choice([0, len(facts)]), fill(draw, TEXTS["talk"], t=draw.choice([teller, idle]), r=lacks))
        return layout(draw, padded(draw, facts, 2), f"{draw.choice(WEEKDAYS)}: {heading}", mix=False)

    worlds = ((one, two), (two, one))
    questions = []
    if not relay:
        for name, holds in ((one, (True, False)), (two, (False, True))):
            knows, ignorant = filled(TEXTS["knows"], q=name, n=news, h=heading), filled(TEXTS["ignorant"], q=name, n=news, h=heading)
            questions.append(polar(rng, holds, knows, ignorant, TEXTS["knows_meaning"]))
    if hidden:
        questions.append(pick(rng, filled(TEXTS["who_ignorant"], n=news, h=heading), (two, one), [teller, *([further] if passed else [])]))
    questions.append(pick(rng, filled(TEXTS["whom_told"], p=teller, n=news), (one, two), [further] if passed else [idle]))
    if passed:
        questions.append(pick(rng, filled(TEXTS["who_told"], s=further, n=news, h=heading), (one, two), [teller]))
    group = [one, further] if passed else [one, idle]
    if relay:
        for p, q, holds in ((one, two, (True, False)), (two, one, (False, True))):
            first_hand, second_hand = formatted(TEXTS["first_hand"], p=p, teller=teller, q=q), formatted(TEXTS["second_hand"], p=p, q=q)
            questions.append(polar(rng, holds, first_hand, second_hand))
    else:
        how_many = rng.choice(filled(TEXTS["how_many_know"], g=listed(rng.sample(group, 2)), n=news))
        questions.append(score(how_many, ["none", "one", "two"], (1 + passed, int(passed))))
    how_learned = filled(TEXTS["how_learned"], q=one, n=news, h=heading)
    ways = {way: meaning.format(teller=teller) for way, meaning in TEXTS["ways"].items()}
    questions.append(described(rng, how_learned, ways, ("told first-hand", "told by somebody else" if relay else "not told")))
    return made(rng, both(render, worlds, rng), questions)


def headers(rng: random.Random) -> Twin:
    """A mail with to, cc and bcc. A recipient and a person who is only named in it swap, or cc and bcc do."""
    news, heading = rng.choice(TEXTS["news"])
    writer, one, two, three, four = (person.name for person in people(rng, 5))
    secret = rng.random() < 0.5  # the second person gets a hidden copy; otherwise only the name is in the mail
    shape = rng.randrange(2)

    def render(pair: tuple[str, str], draw: random.Random) -> State:
        x, y = pair
        ending = draw.choice(TEXTS["endings"]) if secret else draw.choice(TEXTS["unaware_endings"]).format(y)
        body = cap(f"{news}. {ending}")
        subject = draw.choice([heading, *TEXTS["subjects"]])
        fields = {"from": writer, "to": three, "cc": x, **({"bcc": y} if secret else {}), "subject": subject}
        if shape:
            return {**fields, "body": body}
        return "\n".join(f"{key.capitalize()}: {value}" for key, value in fields.items()) + f"\n\n{body}"

    if secret:
        questions = []
        for name, holds in ((one, (True, False)), (two, (False, True))):
            openly, secretly = formatted(TEXTS["openly"], three=three, one=name), formatted(TEXTS["secretly"], three=three, one=name)
            questions.append(polar(rng, holds, openly, secretly))
        questions.append(pick(rng, TEXTS["who_secretly"], (two, one), [three, writer]))
        questions.append(pick(rng, formatted(TEXTS["who_openly"], three=three), (one, two), [four, writer]))
    else:
        questions = []
        for name, holds in ((one, (True, False)), (two, (False, True))):
            knows, ignorant = filled(TEXTS["knows"], q=name, n=news, h=heading), filled(TEXTS["ignorant"], q=name, n=news, h=heading)
            questions.append(polar(rng, holds, knows, ignorant))
        questions.append(pick(rng, formatted(TEXTS["who_received"], three=three), (one, two), [four]))
        questions.append(pick(rng, TEXTS["who_not_told"], (two, one), [three, writer]))
    return made(rng, both(render, ((one, two), (two, one)), rng), questions)
