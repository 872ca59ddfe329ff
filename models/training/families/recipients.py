"""Teaches who was told what, and so who knows: told directly, by a go-between, copied in, left out on purpose, or mentioned only."""

import random

from .asking import both, described, pick, polar
from .people import people
from .shapes import capital, fill, filled, formatted, layout, made, padded
from .text_files import load_texts
from .times import WEEKDAYS
from .twin import State, Twin, score
from .wording import listed

TEXTS = load_texts("recipients")
# news: (as a that-clause, as a heading)


def twin(rng: random.Random) -> Twin:
    return headers(rng) if rng.random() < 0.3 else talk(rng)


def talk(rng: random.Random) -> Twin:
    """One told and one left out change places; at times a second person is told at second hand."""
    news, heading = rng.choice(TEXTS["news"])
    teller, one, two, further, idle = (person.name for person in people(rng, 5))
    relay = rng.random() < 0.35  # the one told tells the other
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
    questions = (
        []
        if relay
        else [
            polar(
                rng,
                holds,
                filled(TEXTS["knows"], q=name, n=news, h=heading),
                filled(TEXTS["ignorant"], q=name, n=news, h=heading),
                TEXTS["knows_meaning"],
            )
            for name, holds in ((one, (True, False)), (two, (False, True)))
        ]
    )
    if hidden:
        questions.append(pick(rng, filled(TEXTS["who_ignorant"], n=news, h=heading), (two, one), [teller, *([further] if passed else [])]))
    questions.append(pick(rng, filled(TEXTS["whom_told"], p=teller, n=news), (one, two), [further] if passed else [idle]))
    if passed:
        questions.append(pick(rng, filled(TEXTS["who_told"], s=further, n=news, h=heading), (one, two), [teller]))
    group = [one, further] if passed else [one, idle]
    if relay:
        questions += [
            polar(rng, holds, formatted(TEXTS["first_hand"], p=p, teller=teller, q=q), formatted(TEXTS["second_hand"], p=p, q=q))
            for p, q, holds in ((one, two, (True, False)), (two, one, (False, True)))
        ]
    else:
        questions.append(
            score(
                rng.choice(filled(TEXTS["how_many_know"], g=listed(rng.sample(group, 2)), n=news)),
                ["none", "one", "two"],
                (1 + passed, int(passed)),
            )
        )
    questions.append(
        described(
            rng,
            filled(TEXTS["how_learned"], q=one, n=news, h=heading),
            {
                "told first-hand": f"{teller} said it to this person",
                "told by somebody else": f"learned of it, but not from {teller}",
                "not told": "nobody has said so to this person",
            },
            ("told first-hand", "told by somebody else" if relay else "not told"),
        )
    )
    return made(rng, both(render, worlds, rng), questions)


def headers(rng: random.Random) -> Twin:
    """A mail with to, cc and bcc: one who gets it and one merely named in it change places, or cc and bcc do."""
    news, heading = rng.choice(TEXTS["news"])
    writer, one, two, three, four = (person.name for person in people(rng, 5))
    secret = rng.random() < 0.5  # else: receives or is only named
    shape = rng.randrange(2)

    def render(pair: tuple[str, str], draw: random.Random) -> State:
        x, y = pair
        body = capital(f"{news}. ") + (draw.choice(TEXTS["endings"]) if secret else draw.choice(TEXTS["unaware_endings"]).format(y))
        fields = {
            "from": writer,
            "to": three,
            "cc": x,
            **({"bcc": y} if secret else {}),
            "subject": draw.choice([heading, "news", "please read", "internal"]),
            "body": body,
        }
        return (
            fields if shape else "\n".join(f"{key.capitalize()}: {value}" for key, value in fields.items() if key != "body") + f"\n\n{body}"
        )

    if secret:
        visible = formatted(TEXTS["openly"], three=three, one=one, One=capital(one))
        hidden = formatted(TEXTS["secretly"], three=three, one=one, One=capital(one))
        visible_2, hidden_2 = ([form.replace(one, two) for form in forms] for forms in (visible, hidden))
        questions = [polar(rng, (True, False), visible, hidden), polar(rng, (False, True), visible_2, hidden_2)]
        questions.append(pick(rng, TEXTS["who_secretly"], (two, one), [three, writer]))
        questions.append(pick(rng, formatted(TEXTS["who_openly"], three=three), (one, two), [four, writer]))
    else:
        questions = [
            polar(rng, holds, filled(TEXTS["knows"], q=name, n=news, h=heading), filled(TEXTS["ignorant"], q=name, n=news, h=heading))
            for name, holds in ((one, (True, False)), (two, (False, True)))
        ]
        questions.append(pick(rng, formatted(TEXTS["who_received"], three=three), (one, two), [four]))
        questions.append(pick(rng, TEXTS["who_not_told"], (two, one), [three, writer]))
    return made(rng, both(render, ((one, two), (two, one)), rng), questions)
