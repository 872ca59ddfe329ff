"""Teaches what caused an outcome, as opposed to what merely happened as well or was wrongly suspected."""

import random
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.people import person
from .parts.shapes import fill, filled, formatted, layout, made, padded
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS
from .parts.twin import Twin

TEXTS = load_texts("causes")


@dataclass(frozen=True)
class Setting:
    """effects: outcomes, as clauses. events: possible causes of any of them, as noun phrases."""

    effects: tuple[str, ...]
    events: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    effect, effect_2 = rng.sample(setting.effects, 2)
    causes = rng.sample(setting.events, rng.choice([3, 4]))
    first, second, third = causes[:3]
    name = person(rng).name
    crossed = rng.random() < 0.4  # two effects that swap their causes; otherwise one effect

    def render(world: tuple[str, str], draw: random.Random) -> str:
        if crossed:
            one, two = draw.sample(TEXTS["caused"], 2)
            facts = [fill(draw, [one], e=effect, c=world[0]), fill(draw, [two], e=effect_2, c=world[1])]
            draw.shuffle(facts)
        else:
            facts = [fill(draw, TEXTS["caused"], e=effect, c=world[0])]
            beside = draw.sample(TEXTS["also"], 2)
            facts += [fill(draw, beside[:1], c=world[1], day=draw.choice(WEEKDAYS), p=name)]
        if draw.random() < 0.6:
            facts.append(fill(draw, TEXTS["also_third"], c=third, p=name))
        return layout(draw, padded(draw, facts, 3), mix=False)

    questions = []
    for c, holds in ((first, (True, False)), (second, (False, True))):
        questions.append(
            polar(rng, holds, filled(TEXTS["is_cause"], c=c, e=effect), filled(TEXTS["not_cause"], c=c, e=effect), TEXTS["cause_meaning"])
        )
        if crossed:
            is_cause, not_cause = filled(TEXTS["is_cause"], c=c, e=effect_2), filled(TEXTS["not_cause"], c=c, e=effect_2)
            questions.append(polar(rng, (holds[1], holds[0]), is_cause, not_cause))
    questions.append(pick(rng, filled(TEXTS["why"], e=effect), (first, second), causes))
    if crossed:
        others = [other for other in setting.effects if other not in (effect, effect_2)][:2]
        questions.append(pick(rng, filled(TEXTS["ask_effect"], c=first), (effect, effect_2), others))
    else:
        ask_part = formatted(TEXTS["ask_part"], effect=effect, first=first)
        questions.append(described(rng, ask_part, TEXTS["parts"], ("the cause", "beside the point")))
    return made(rng, both(render, ((first, second), (second, first)), rng), questions)
