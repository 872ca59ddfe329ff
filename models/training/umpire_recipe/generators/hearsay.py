"""Teaches to tell what is proven from what is only said, and who saw a thing from who was told of it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.people import people
from .parts.shapes import fill, filled, formatted, layout, made, padded
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS
from .parts.twin import Twin
from .parts.wording import cap

TEXTS = load_texts("hearsay")


@dataclass(frozen=True)
class Setting:
    """proofs: kinds of evidence. events: what may be recorded or just talked about, as clauses."""

    proofs: tuple[str, ...]
    events: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"].values()]


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    return proven_or_said(rng, setting) if rng.random() < 0.6 else seen_or_heard(rng, setting.events)


def proven_or_said(rng: random.Random, setting: Setting) -> Twin:
    """Of two events one is proven and the other only claimed; they swap. A third may be claimed in both states."""
    chosen, staff, proof = rng.sample(setting.events, 3), people(rng, 3), rng.choice(setting.proofs)
    count = rng.choice([2, 3])

    def render(proven: int, draw: random.Random) -> str:
        forms, ways = draw.choice(TEXTS["proven"]), draw.sample(TEXTS["claimed"], 3)
        facts = []
        for i, event in enumerate(chosen[:count]):
            facts.append(cap((forms if i == proven else ways[i]).format(proof=proof, event=event, p=staff[i].name)))
        draw.shuffle(facts)
        return layout(draw, padded(draw, facts), f"Notes, {draw.choice(WEEKDAYS)}", mix=False)

    questions = [
        polar(
            rng,
            (i == 0, i == 1),
            filled(TEXTS["is_proven"], event=chosen[i]),
            filled(TEXTS["is_talk"], event=chosen[i]),
            TEXTS["proof_meaning"],
        )
        for i in (0, 1)
    ]
    questions.append(pick(rng, TEXTS["which_proven"], (chosen[0], chosen[1]), chosen[2:count]))
    questions.append(described(rng, filled(TEXTS["ask_source"], event=chosen[0]), TEXTS["sources"], ("record", "word of mouth")))
    if count == 2:
        questions.append(pick(rng, TEXTS["whose_claim"], (staff[1].name, staff[0].name), [staff[2].name]))
    return made(rng, both(render, (0, 1), rng), questions)


def seen_or_heard(rng: random.Random, events: Sequence[str]) -> Twin:
    """One person saw the event and told the other; they swap."""
    event, staff = rng.choice(events), people(rng, 3)

    def render(seer: int, draw: random.Random) -> str:
        p, q = staff[seer], staff[1 - seer]
        facts = [
            fill(draw, TEXTS["saw"], p=p.name, his=p.his, himself={"he": "himself", "she": "herself"}[p.he], event=event),
            fill(draw, TEXTS["passed"], p=p.name, q=q.name, qhim=q.him),
        ]
        extra = draw.choice(TEXTS["bystanders"]).format(staff[2].name)
        return layout(draw, padded(draw, facts + [extra] * (draw.random() < 0.6)), mix=False)

    first, second = staff[0].name, staff[1].name
    questions = []
    for i, (p, q) in enumerate([(first, second), (second, first)]):
        witnessed, repeated = formatted(TEXTS["witnessed"], p=p, q=q), formatted(TEXTS["repeated"], p=p, q=q)
        questions.append(polar(rng, (i == 0, i == 1), witnessed, repeated, (f"{p} noticed it directly", f"{p} was told")))
    third = [staff[2].name]
    questions.append(pick(rng, TEXTS["who_saw"], (first, second), third))
    questions.append(pick(rng, TEXTS["who_heard"], (second, first), third))
    return made(rng, both(render, (0, 1), rng), questions)
