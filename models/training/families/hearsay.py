"""Teaches what is proven against what somebody merely says, and who saw a thing against who was told of it."""

import random

from .asking import both, described, pick, polar
from .people import people
from .shapes import capital, fill, filled, formatted, layout, made, padded
from .text_files import load_texts
from .times import WEEKDAYS
from .twin import Twin

TEXTS = load_texts("hearsay")
# setting: (ways to name the evidence, events that can be both recorded and talked about)


def twin(rng: random.Random) -> Twin:
    proofs, events = TEXTS["settings"][rng.choice(list(TEXTS["settings"]))]
    return proven_or_said(rng, proofs, events) if rng.random() < 0.6 else seen_or_heard(rng, events)


def proven_or_said(rng: random.Random, proofs: list[str], events: list[str]) -> Twin:
    """Three events: of the first two, one is proven and one said; the third is said in both states."""
    chosen, staff, proof = rng.sample(events, 3), people(rng, 3), rng.choice(proofs)
    count = rng.choice([2, 3])

    def render(proven: int, draw: random.Random) -> str:
        forms, ways = draw.choice(TEXTS["proven"]), draw.sample(TEXTS["claimed"], 3)
        facts = []
        for i, event in enumerate(chosen[:count]):
            facts.append(capital((forms if i == proven else ways[i]).format(proof=proof, event=event, p=staff[i].name)))
        draw.shuffle(facts)
        return layout(draw, padded(draw, facts), f"Notes, {draw.choice(WEEKDAYS)}", mix=False)

    meaning = TEXTS["proof_meaning"]
    questions = [
        polar(rng, (i == 0, i == 1), filled(TEXTS["is_proven"], event=chosen[i]), filled(TEXTS["is_talk"], event=chosen[i]), meaning)
        for i in (0, 1)
    ]
    questions.append(pick(rng, TEXTS["which_proven"], (chosen[0], chosen[1]), chosen[2:count]))
    names = TEXTS["sources"]
    questions.append(described(rng, filled(TEXTS["ask_source"], event=chosen[0]), names, ("record", "word of mouth")))
    if count == 2:
        questions.append(pick(rng, TEXTS["whose_claim"], (staff[1].name, staff[0].name), [staff[2].name]))
    return made(rng, both(render, (0, 1), rng), questions)


def seen_or_heard(rng: random.Random, events: list[str]) -> Twin:
    """One person saw it, the other has it from the first."""
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
        questions.append(
            polar(
                rng,
                (i == 0, i == 1),
                formatted(TEXTS["witnessed"], p=p, q=q),
                formatted(TEXTS["repeated"], p=p, q=q),
                (f"{p} noticed it directly", f"{p} was told"),
            )
        )
    third = [staff[2].name]
    questions.append(pick(rng, TEXTS["who_saw"], (first, second), third))
    questions.append(pick(rng, TEXTS["who_heard"], (second, first), third))
    return made(rng, both(render, (0, 1), rng), questions)
