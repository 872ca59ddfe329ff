"""Teaches what brought an outcome about, against things that merely happened too, came before it, were suspected, or would have caused something else."""

import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import person
from .shapes import fill, filled, formatted, layout, made, padded
from .text_files import load_texts
from .times import WEEKDAYS
from .twin import Twin

TEXTS = load_texts("causes")


@dataclass(frozen=True)
class Setting:
    """effects: clauses for outcomes; events: noun phrases that could have caused any of them (all happened)."""

    effects: tuple[str, ...]
    events: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    effect, effect_2 = rng.sample(setting.effects, 2)
    causes = rng.sample(setting.events, rng.choice([3, 4]))
    first, second, third = causes[:3]
    name = person(rng).name
    crossed = rng.random() < 0.4  # two effects, whose causes change places; else one effect and things beside the point

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
            late = fill(
                draw, [form for form in TEXTS["also"] if form.startswith(("people", "{c}, though", "{p}"))], c=third, p=name, day="Monday"
            )
            facts.append(late)
        return layout(draw, padded(draw, facts, 3), mix=False)

    questions = []
    for c, holds in ((first, (True, False)), (second, (False, True))):
        questions.append(
            polar(rng, holds, filled(TEXTS["is_cause"], c=c, e=effect), filled(TEXTS["not_cause"], c=c, e=effect), TEXTS["cause_meaning"])
        )
        if crossed:
            questions.append(
                polar(rng, (holds[1], holds[0]), filled(TEXTS["is_cause"], c=c, e=effect_2), filled(TEXTS["not_cause"], c=c, e=effect_2))
            )
    questions.append(pick(rng, filled(TEXTS["why"], e=effect), (first, second), causes))
    if crossed:
        questions.append(
            pick(
                rng,
                filled(TEXTS["ask_effect"], c=first),
                (effect, effect_2),
                [other for other in setting.effects if other not in (effect, effect_2)][:2],
            )
        )
    else:
        parts = TEXTS["parts"]
        questions.append(described(rng, formatted(TEXTS["ask_part"], effect=effect, first=first), parts, ("the cause", "beside the point")))
    return made(rng, both(render, ((first, second), (second, first)), rng), questions)
