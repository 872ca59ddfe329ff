"""Teaches opinions: what is praised or criticized, and who is for or against a proposal, without words like 'good'."""

import random
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.proposals import debate, stances
from .parts.shapes import fill, filled, formatted, layout, made
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score
from .parts.wording import cap

TEXTS = load_texts("opinions")


@dataclass(frozen=True)
class Setting:
    """aspects: what is judged -> 'praise' and 'blame', each a list of sentences in lower case; those at the same place belong together."""

    title: str
    aspects: dict[str, dict[str, tuple[str, ...]]]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    return rng.choice([review, review, graded, debate, stances])(rng)


def review(rng: random.Random) -> Twin:
    """One aspect is praised and one criticized; they swap. The others stay."""
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
            side = "praise" if world[target] else "blame"
            if draw.random() < 0.35:
                facts.append(fill(draw, [draw.choice(TEXTS["general"][side])], t=target))
                continue
            text = draw.choice(setting.aspects[target][side])
            facts.append(cap(joint.format(t=target, T=cap(target), s=text, S=cap(text))))
        if draw.random() < 0.15:
            return {"kind": setting.title, "text": " ".join(facts)}
        return layout(draw, facts, setting.title, mix=False)

    questions = [
        polar(rng, (i == 0, i == 1), filled(TEXTS["praised"], t=target), filled(TEXTS["blamed"], t=target), TEXTS["praise_meaning"])
        for i, target in enumerate((first, second))
    ]
    others = [aspect for aspect in setting.aspects if aspect not in targets][:1] if len(targets) == 2 else []
    for good, forms in ((True, TEXTS["which_praised"]), (False, TEXTS["which_blamed"])):
        found = [[target for target in targets if world[target] == good] for world in worlds]
        if len(found[0]) == len(found[1]) == 1:
            questions.append(pick(rng, forms, (found[0][0], found[1][0]), [*targets, *others]))
    group = [target for target in targets if target != second]
    counts = [sum(world[target] for target in group) for world in worlds]
    how_many = f"Leaving {second} aside, how many of the things judged get praise?"
    questions.append(score(how_many, ["none", "one", "two", "three"][: len(group) + 1], (counts[0], counts[1])))
    ask_tone = formatted(TEXTS["ask_tone"], target=first, Target=cap(first))
    questions.append(described(rng, ask_tone, TEXTS["verdicts"], ("positive", "negative")))
    return made(rng, both(render, worlds, rng), questions)


def graded(rng: random.Random) -> Twin:
    """One aspect is praised, criticized, both or left out. Two others stay the same."""
    setting = rng.choice(SETTINGS)
    target, *others = rng.sample(list(setting.aspects), 3)
    here, there = rng.sample(list(TEXTS["verdicts"]), 2)
    rest = {other: rng.random() < 0.5 for other in others}
    shown = rng.sample([target, *others], 3)

    def render(verdict: str, draw: random.Random) -> State:
        facts = []
        for aspect in shown:
            praise, blame = (draw.choice(setting.aspects[aspect][side]) for side in ("praise", "blame"))
            joint, bridge = draw.choice(TEXTS["joints_of_two"]), draw.choice(TEXTS["bridges"])
            good = rest[aspect] if aspect in rest else verdict == "positive" or (verdict == "mixed" and draw.random() < 0.5)
            text = praise if good else blame
            if aspect == target and verdict == "mixed":
                text += " " + bridge.format(blame if good else praise)
            if aspect != target or verdict != "absent":
                facts.append(cap(joint.format(t=aspect, T=cap(aspect), s=text, S=cap(text))))
        return layout(draw, facts, setting.title, mix=False)

    questions = [described(rng, formatted(TEXTS["ask_tone"], target=target, Target=cap(target)), TEXTS["verdicts"], (here, there))]
    for side, forms in TEXTS["has_side"].items():
        truth = tuple(verdict in (side, "mixed") for verdict in (here, there))
        if truth[0] != truth[1]:
            questions.append(polar(rng, (truth[0], truth[1]), filled(forms["yes"], t=target), filled(forms["no"], t=target)))
    return made(rng, both(render, (here, there), rng), questions)
