"""Teaches degrees of certainty: confirmed, likely, open, ruled out."""

import random
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.people import people
from .parts.shapes import fill, filled, formatted, layout, made, padded
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score

TEXTS = load_texts("certainty")
LEVELS = ["ruled out", "open", "likely", "confirmed"]


@dataclass(frozen=True)
class Setting:
    """about: what is being found out. claims: independent clauses, each of which may be true or false."""

    about: str
    claims: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    """Several claims, each with a degree of certainty. Two of them swap theirs."""
    setting, name = rng.choice(SETTINGS), people(rng, 1)[0].name
    claims = rng.sample(setting.claims, rng.randint(2, 4))
    one, two = rng.sample(LEVELS, 2)
    first, second = claims[:2]
    spare = [level for level in LEVELS if level not in (one, two)]
    rest = {claim: rng.choice(spare) for claim in claims[2:]}
    worlds = [{first: one, second: two, **rest}, {first: two, second: one, **rest}]
    shown = rng.sample(claims, len(claims))

    def render(world: dict[str, str], draw: random.Random) -> State:
        forms = {level: draw.sample(ways, len(ways)) for level, ways in TEXTS["says"].items()}
        facts = [fill(draw, [forms[world[claim]][i]], c=claim, p=name) for i, claim in enumerate(shown)]
        if draw.random() < 0.12:
            word = {level: draw.choice(forms) for level, forms in TEXTS["status_words"].items()}
            return [{"claim": claim, "status": word[world[claim]]} for claim in shown]
        return layout(draw, padded(draw, facts, 2), f"State of knowledge on {setting.about}", mix=False)

    questions = []
    for claim, levels in ((first, (one, two)), (second, (two, one))):
        asked = rng.choice(levels)
        forms = TEXTS["has_level"][asked]
        questions.append(polar(rng, (levels[0] == asked, levels[1] == asked), filled(forms["yes"], c=claim), filled(forms["no"], c=claim)))
        questions.append(described(rng, filled(TEXTS["ask_level"], c=claim), TEXTS["meanings"], levels))
    questions.append(pick(rng, TEXTS["which_claim"][one], (first, second), claims))
    steps = {level: step for step, level in enumerate(LEVELS)}
    questions.append(score(rng.choice(formatted(TEXTS["ask_degree"], first=first)), TEXTS["degrees"], (steps[one], steps[two])))
    higher = (steps[one] > steps[two], steps[two] > steps[one])
    surer, less_sure = formatted(TEXTS["surer"], first=first, second=second), formatted(TEXTS["less_sure"], first=first, second=second)
    questions.append(polar(rng, higher, surer, less_sure))
    return made(rng, both(render, worlds, rng), questions)
