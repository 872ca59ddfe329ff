"""Asks who is for or against a proposal."""

import random

from .asking import both, described, pick, polar
from .people import people
from .shapes import fill, filled, formatted, layout, made, padded
from .text_files import load_texts
from .twin import State, Twin, score

TEXTS = load_texts("proposals")
LEVELS = ["against", "undecided", "in favour"]


def meanings(proposal: str) -> dict[str, str]:
    """What each stance on the proposal means."""
    return {stance: meaning.format(x=proposal) for stance, meaning in TEXTS["meanings"].items()}


def debate(rng: random.Random) -> Twin:
    """Two people disagree on one proposal, or one person is for one proposal and against another; they swap."""
    x, y = rng.sample(TEXTS["proposals"], 2)
    one, two, three = (person.name for person in people(rng, 3))
    single = rng.random() < 0.4  # one person on two proposals

    def render(flipped: bool, draw: random.Random) -> State:
        views = [(one, x, not flipped), (one, y, flipped)] if single else [(one, x, not flipped), (two, x, flipped)]
        pro, con = draw.choice(TEXTS["says"]["for"]), draw.choice(TEXTS["says"]["against"])
        facts = [fill(draw, [pro if good else con], p=who, x=target) for who, target, good in views]
        if draw.random() < 0.6:
            facts.append(fill(draw, TEXTS["says"]["undecided"], p=three, x=x))
        draw.shuffle(facts)
        return layout(draw, padded(draw, facts, 2), f"On {x}" if not single else "", mix=False)

    pairs = [(one, x), (one, y)] if single else [(one, x), (two, x)]
    questions = []
    for i, (who, target) in enumerate(pairs):
        in_favour, opposed = filled(TEXTS["in_favour"], p=who, x=target), filled(TEXTS["opposed"], p=who, x=target)
        questions.append(polar(rng, (i == 0, i == 1), in_favour, opposed, ("wants it", "does not want it")))
    if single:
        others = [proposal for proposal in TEXTS["proposals"] if proposal not in (x, y)][:2]
        questions.append(pick(rng, formatted(TEXTS["what_supported"], one=one), (x, y), others))
        questions.append(pick(rng, formatted(TEXTS["what_opposed"], one=one), (y, x), others))
    else:
        questions.append(pick(rng, formatted(TEXTS["who_supports"], x=x), (one, two), [three]))
        questions.append(pick(rng, formatted(TEXTS["who_opposes"], x=x), (two, one), [three]))
    questions.append(described(rng, formatted(TEXTS["ask_stance"], who=one, x=x), meanings(x), ("for", "against")))
    questions.append(score(rng.choice(formatted(TEXTS["ask_degree"], who=one, x=x)), LEVELS, (2, 0)))
    return made(rng, both(render, (False, True), rng), questions)


def stances(rng: random.Random) -> Twin:
    """Two people have two of the stances for, against and undecided; they swap."""
    x, (one, two) = rng.choice(TEXTS["proposals"]), (person.name for person in people(rng, 2))
    here, there = rng.sample(list(TEXTS["says"]), 2)

    def render(world: tuple[str, str], draw: random.Random) -> State:
        ways = {stance: draw.choice(forms) for stance, forms in TEXTS["says"].items()}
        facts = [fill(draw, [ways[stance]], p=who, x=x) for who, stance in zip((one, two), world, strict=False)]
        return layout(draw, padded(draw, draw.sample(facts, 2), 2), f"On {x}", mix=False)

    questions = []
    for who, views in ((one, (here, there)), (two, (there, here))):
        for stance in views:
            yes, no = filled(TEXTS["has_stance"][stance], p=who, x=x), filled(TEXTS["has_not_stance"][stance], p=who, x=x)
            questions.append(polar(rng, (views[0] == stance, views[1] == stance), yes, no))
        questions.append(described(rng, formatted(TEXTS["ask_stance"], who=who, x=x), meanings(x), views))
        level = {"against": 0, "undecided": 1, "for": 2}
        ask_degree = rng.choice(formatted(TEXTS["ask_degree"], who=who, x=x))
        questions.append(score(ask_degree, LEVELS, (level[views[0]], level[views[1]])))
    return made(rng, both(render, ((here, there), (there, here)), rng), questions)
