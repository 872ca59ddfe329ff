"""Teaches that a thing named in a text may be named as absent: 'no fever', 'free of nuts', 'never asked for'."""

import random

from .asking import both, described, pick, polar
from .people import person
from .shapes import capital, filled, formatted, layout, made, padded
from .text_files import load_texts
from .twin import Question, Twin
from .wording import listed

TEXTS = load_texts("mentioned_but_denied")
# setting: subject, things, how they are said to be there, how they are said not to be there, asked for, asked for inversely; {t} is the thing, {ts} a list, {n} a person
Setting = tuple[list[str], list[str], list[str], list[str], list[str]]


def bare(thing: str) -> str:
    return thing.removeprefix("a ").removeprefix("an ")


def twin(rng: random.Random) -> Twin:
    things, there, absent, asked, asked_inverse = rng.choice(TEXTS["settings"])
    chosen, name = rng.sample(things, rng.choice([3, 4, 4, 5])), person(rng).name
    if rng.random() < 0.25:
        return silent(rng, things, there, absent, name)
    first, second = chosen[:2]
    rest_there = rng.random() < 0.5  # the others are all there, or all absent
    others = chosen[2:]

    def render(present: str, draw: random.Random) -> str:
        missing = second if present == first else first
        groups = [[present], [missing]]
        (groups[0] if rest_there else groups[1]).extend(others)
        lines = []
        for group, forms in zip(groups, (there, absent), strict=False):
            draw.shuffle(group)
            joiner = "and" if forms is there else "or"
            lines.append(
                capital(draw.choice(forms).format(n=name, ts=listed(group, joiner), ts_bare=listed([bare(thing) for thing in group], "or")))
            )
        return layout(draw, padded(draw, draw.sample(lines, 2)), mix=False)

    meaning = TEXTS["present_meaning"]
    questions = [
        polar(rng, (i == 0, i == 1), filled(asked, t=thing, n=name), filled(asked_inverse, t=thing, n=name), meaning)
        for i, thing in enumerate((first, second))
    ]
    if rest_there:
        forms, right = TEXTS["which_absent"], (second, first)
    else:
        forms, right = TEXTS["which_present"], (first, second)
    questions.append(pick(rng, forms, right, others))
    questions.append(status(rng, first, ("affirmed", "denied")))
    return made(rng, both(render, (first, second), rng), questions)


def status(rng: random.Random, thing: str, right: tuple[str, str]) -> Question:
    options = TEXTS["mentions"]
    return described(rng, formatted(TEXTS["ask_mention"], thing=thing, Thing=capital(thing)), options, right)


def silent(rng: random.Random, things: list[str], there: list[str], absent: list[str], name: str) -> Twin:
    """One thing is named (as there or as absent) in one state and not at all in the other, where another stands in its place."""
    named, instead, *others = rng.sample(things, 4)
    positive = rng.random() < 0.5

    def render(thing: str, draw: random.Random) -> str:
        groups = [([thing], there if positive else absent), (others[: draw.randint(1, 2)], absent if positive else there)]
        facts = [
            capital(
                draw.choice(forms).format(
                    n=name, ts=listed(group, "and" if forms is there else "or"), ts_bare=listed([bare(one) for one in group], "or")
                )
            )
            for group, forms in groups
        ]
        return layout(draw, padded(draw, facts), mix=True)

    questions = [
        polar(
            rng,
            (thing == named, thing == instead),
            formatted(TEXTS["mentioned"], thing=thing, Thing=capital(thing)),
            formatted(TEXTS["not_mentioned"], thing=thing, Thing=capital(thing)),
        )
        for thing in (named, instead)
    ]
    kind = "affirmed" if positive else "denied"
    questions += [status(rng, named, (kind, "not mentioned")), status(rng, instead, ("not mentioned", kind))]
    return made(rng, both(render, (named, instead), rng), questions)
