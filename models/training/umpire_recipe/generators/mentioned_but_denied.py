"""Teaches that a text may mention a thing only to deny it: 'no fever', 'free of nuts', 'never asked for'."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.people import person
from .parts.shapes import fill, filled, formatted, layout, made, padded
from .parts.text_files import load_texts
from .parts.twin import Question, Twin
from .parts.wording import cap, listed

TEXTS = load_texts("mentioned_but_denied")


@dataclass(frozen=True)
class Setting:
    """things: what may be present or absent.

    present, absent: ways to say so of the things {ts}, or {ts_bare} without articles, with a person {n}.
    asked, asked_inverse: questions whether the thing {t} is present or absent.
    """

    things: tuple[str, ...]
    present: tuple[str, ...]
    absent: tuple[str, ...]
    asked: tuple[str, ...]
    asked_inverse: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def bare(thing: str) -> str:
    return thing.removeprefix("a ").removeprefix("an ")


def told(draw: random.Random, setting: Setting, name: str, things: Sequence[str], forms: Sequence[str]) -> str:
    """One sentence that says the things are present, or absent."""
    joiner = "and" if forms is setting.present else "or"
    return fill(draw, forms, n=name, ts=listed(things, joiner), ts_bare=listed([bare(thing) for thing in things], "or"))


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    chosen, name = rng.sample(setting.things, rng.choice([3, 4, 4, 5])), person(rng).name
    if rng.random() < 0.25:
        return silent(rng, setting, name)
    first, second = chosen[:2]
    rest_there = rng.random() < 0.5  # the others are all present or all absent
    others = chosen[2:]

    def render(present: str, draw: random.Random) -> str:
        missing = second if present == first else first
        groups = [[present], [missing]]
        (groups[0] if rest_there else groups[1]).extend(others)
        lines = []
        for group, forms in zip(groups, (setting.present, setting.absent), strict=True):
            draw.shuffle(group)
            lines.append(told(draw, setting, name, group, forms))
        return layout(draw, padded(draw, draw.sample(lines, 2)), mix=False)

    questions = [
        polar(
            rng,
            (i == 0, i == 1),
            filled(setting.asked, t=thing, n=name),
            filled(setting.asked_inverse, t=thing, n=name),
            TEXTS["present_meaning"],
        )
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
    """Asks whether the text affirms, denies or does not mention the thing."""
    return described(rng, formatted(TEXTS["ask_mention"], thing=thing, Thing=cap(thing)), TEXTS["mentions"], right)


def silent(rng: random.Random, setting: Setting, name: str) -> Twin:
    """One state mentions a thing, as present or absent; the other does not, and mentions another thing instead."""
    named, instead, *others = rng.sample(setting.things, 4)
    positive = rng.random() < 0.5

    def render(thing: str, draw: random.Random) -> str:
        said, opposite = (setting.present, setting.absent) if positive else (setting.absent, setting.present)
        groups = [([thing], said), (others[: draw.randint(1, 2)], opposite)]
        facts = [told(draw, setting, name, group, forms) for group, forms in groups]
        return layout(draw, padded(draw, facts), mix=True)

    questions = [
        polar(
            rng,
            (thing == named, thing == instead),
            formatted(TEXTS["mentioned"], thing=thing, Thing=cap(thing)),
            formatted(TEXTS["not_mentioned"], thing=thing, Thing=cap(thing)),
        )
        for thing in (named, instead)
    ]
    kind = "affirmed" if positive else "denied"
    questions += [status(rng, named, (kind, "not mentioned")), status(rng, instead, ("not mentioned", kind))]
    return made(rng, both(render, (named, instead), rng), questions)
