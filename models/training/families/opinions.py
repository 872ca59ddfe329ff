"""Teaches whose view is positive and of which of several targets, and who is for or against a proposal, without words like 'good' to go by."""

import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import people
from .shapes import capital, fill, filled, formatted, layout, made, padded
from .text_files import load_texts
from .twin import State, Twin, score

TEXTS = load_texts("opinions")


@dataclass(frozen=True)
class Setting:
    """aspects: target -> (praise, complaint), whole sentences in lower case."""

    title: str
    aspects: dict[str, tuple[tuple[str, ...], tuple[str, ...]]]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    return rng.choice([review, review, graded, debate, stances])(rng)


def review(rng: random.Random) -> Twin:
    """Two aspects, of which one is praised and one criticized, change places; the others stay."""
    setting = rng.choice(SETTINGS)
    targets = rng.sample(list(setting.aspects), rng.randint(2, 4))
    first, second = targets[:2]
    rest = {target: rng.random() < 0.5 for target in targets[2:]}
    worlds = [{**rest, first: good, second: not good} for good in (True, False)]
    shown = rng.sample(targets, len(targets))

    def render(world: dict[str, bool], draw: random.Random) -> State:
        joint = draw.choice(TEXTS["joints"])
        facts = []
        for target in shown:
            praise, blame = setting.aspects[target]
            if draw.random() < 0.35:
                facts.append(fill(draw, [draw.choice(list(zip(*TEXTS["general"], strict=False)))[0 if world[target] else 1]], t=target))
                continue
            text = draw.choice(list(zip(praise, blame, strict=False)))[0 if world[target] else 1]
            facts.append(capital(joint.format(t=target, T=capital(target), s=text, S=capital(text))))
        if draw.random() < 0.15:
            return {"kind": setting.title, "text": " ".join(facts)}
        return layout(draw, facts, setting.title, mix=False)

    questions = [
        polar(rng, (i == 0, i == 1), filled(TEXTS["praised"], t=target), filled(TEXTS["blamed"], t=target), TEXTS["praise_meaning"])
        for i, target in enumerate((first, second))
    ]
    likes, dislikes = (
        ([target for target in targets if world[target]] for world in worlds),
        ([target for target in targets if not world[target]] for world in worlds),
    )
    for found, forms in ((list(likes), TEXTS["which_praised"]), (list(dislikes), TEXTS["which_blamed"])):
        if len(found[0]) == len(found[1]) == 1:
            questions.append(
                pick(
                    rng,
                    forms,
                    (found[0][0], found[1][0]),
                    [*targets, *([aspect for aspect in setting.aspects if aspect not in targets][:1] if len(targets) == 2 else [])],
                )
            )
    group = [target for target in targets if target != second]
    counts = [sum(world[target] for target in group) for world in worlds]
    questions.append(
        score(
            f"Leaving {second} aside, how many of the things judged get praise?",
            ["none", "one", "two", "three"][: len(group) + 1],
            (counts[0], counts[1]),
        )
    )
    questions.append(
        described(rng, formatted(TEXTS["ask_tone"], target=first, Target=capital(first)), TEXTS["verdicts"], ("positive", "negative"))
    )
    return made(rng, both(render, worlds, rng), questions)


def debate(rng: random.Random) -> Twin:
    """Two people of opposite minds on one proposal, or one person on two; they change places."""
    x, y = rng.sample(TEXTS["proposals"], 2)
    one, two, three = (person.name for person in people(rng, 3))
    single = rng.random() < 0.4  # one person on two proposals

    def render(flipped: bool, draw: random.Random) -> State:
        views = [(one, x, not flipped), (one, y, flipped)] if single else [(one, x, not flipped), (two, x, flipped)]
        pro, con = draw.choice(TEXTS["for"]), draw.choice(TEXTS["against"])
        facts = [fill(draw, [pro if good else con], p=who, x=target) for who, target, good in views]
        if draw.random() < 0.6:
            facts.append(fill(draw, TEXTS["unsure"], p=three, x=x))
        draw.shuffle(facts)
        return layout(draw, padded(draw, facts, 2), f"On {x}" if not single else "", mix=False)

    pairs = [(one, x), (one, y)] if single else [(one, x), (two, x)]
    questions = [
        polar(
            rng,
            (i == 0, i == 1),
            filled(TEXTS["in_favour"], p=who, x=target),
            filled(TEXTS["opposed"], p=who, x=target),
            ("wants it", "does not want it"),
        )
        for i, (who, target) in enumerate(pairs)
    ]
    if single:
        others = [proposal for proposal in TEXTS["proposals"] if proposal not in (x, y)][:2]
        questions.append(pick(rng, formatted(TEXTS["what_supported"], one=one), (x, y), others))
        questions.append(pick(rng, formatted(TEXTS["what_opposed"], one=one), (y, x), others))
    else:
        questions.append(pick(rng, formatted(TEXTS["who_supports"], x=x), (one, two), [three]))
        questions.append(pick(rng, formatted(TEXTS["who_opposes"], x=x), (two, one), [three]))
    stance = {"for": f"wants {x}", "against": f"does not want {x}", "undecided": "has not made up their mind"}
    questions.append(described(rng, formatted(TEXTS["ask_stance"], who=one, x=x), stance, ("for", "against")))
    questions.append(score(rng.choice(formatted(TEXTS["ask_degree"], who=one, x=x)), ["against", "undecided", "in favour"], (2, 0)))
    return made(rng, both(render, (False, True), rng), questions)


def graded(rng: random.Random) -> Twin:
    """One aspect is praised, criticized, both or passed over; two others stay as they are."""
    setting = rng.choice(SETTINGS)
    target, *others = rng.sample(list(setting.aspects), 3)
    here, there = rng.sample(list(TEXTS["verdicts"]), 2)
    rest = {other: rng.random() < 0.5 for other in others}
    shown = rng.sample([target, *others], 3)

    def render(verdict: str, draw: random.Random) -> State:
        facts = []
        for aspect in shown:
            praise, blame = (draw.choice(list(texts)) for texts in setting.aspects[aspect])
            joint, bridge = draw.choice(TEXTS["joints_of_two"]), draw.choice(TEXTS["bridges"])
            good = rest[aspect] if aspect in rest else verdict == "positive" or (verdict == "mixed" and draw.random() < 0.5)
            text = praise if good else blame
            if aspect == target and verdict == "mixed":
                text += " " + bridge.format(blame if good else praise)
            if aspect != target or verdict != "absent":
                facts.append(capital(joint.format(t=aspect, T=capital(aspect), s=text, S=capital(text))))
        return layout(draw, facts, setting.title, mix=False)

    questions = [described(rng, formatted(TEXTS["ask_tone"], target=target, Target=capital(target)), TEXTS["verdicts"], (here, there))]
    for side, yes, no in TEXTS["mixed_sides"]:
        truth = tuple(verdict in (side, "mixed") for verdict in (here, there))
        if truth[0] != truth[1]:
            questions.append(polar(rng, (truth[0], truth[1]), filled(yes, t=target), filled(no, t=target)))
    return made(rng, both(render, (here, there), rng), questions)


def stances(rng: random.Random) -> Twin:
    """Two people, two of the three stances for, against and undecided; they change places."""
    x, (one, two) = rng.choice(TEXTS["proposals"]), (person.name for person in people(rng, 2))
    kinds = {"for": TEXTS["for"], "against": TEXTS["against"], "undecided": TEXTS["unsure"]}
    here, there = rng.sample(list(kinds), 2)

    def render(world: tuple[str, str], draw: random.Random) -> State:
        ways = {stance: draw.choice(forms) for stance, forms in kinds.items()}
        facts = [fill(draw, [ways[stance]], p=who, x=x) for who, stance in zip((one, two), world, strict=False)]
        return layout(draw, padded(draw, draw.sample(facts, 2), 2), f"On {x}", mix=False)

    asked = TEXTS["has_stance"]
    asked_no = TEXTS["has_not_stance"]
    questions = []
    for who, views in ((one, (here, there)), (two, (there, here))):
        for stance in views:
            questions.append(
                polar(
                    rng, (views[0] == stance, views[1] == stance), filled(asked[stance], p=who, x=x), filled(asked_no[stance], p=who, x=x)
                )
            )
        questions.append(
            described(
                rng,
                formatted(TEXTS["ask_stance"], who=who, x=x),
                {"for": f"wants {x}", "against": f"does not want {x}", "undecided": "has not made up their mind"},
                views,
            )
        )
        level = {"against": 0, "undecided": 1, "for": 2}
        questions.append(
            score(
                rng.choice(formatted(TEXTS["ask_degree"], who=who, x=x)),
                ["against", "undecided", "in favour"],
                (level[views[0]], level[views[1]]),
            )
        )
    return made(rng, both(render, ((here, there), (there, here)), rng), questions)
