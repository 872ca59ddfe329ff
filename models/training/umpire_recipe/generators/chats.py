"""Teaches following a chat: who proposed what, whether an indirect reply accepts it, and what is agreed in the end."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.people import CITIES, FOOD, people
from .parts.shapes import filled, formatted, made
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS, clock
from .parts.twin import State, Twin

TEXTS = load_texts("chats")


@dataclass(frozen=True)
class Setting:
    """subject: what is to be settled. openers: ways to raise it. proposals, counters: ways to propose {v}, or {a} with its article."""

    kind: str
    subject: str
    openers: tuple[str, ...]
    proposals: tuple[str, ...]
    counters: tuple[str, ...]
    values: Sequence[str]


VALUES: dict[str, Sequence[str]] = {
    "time": [clock(random.Random(i), minutes, 0.3) for i, minutes in enumerate(range(8 * 60, 21 * 60, 15))],
    "day": WEEKDAYS,
    "city": CITIES,
    "food": [item.one for item in FOOD if " of " not in item.one],
    "price": [f"{n} euros" for n in range(60, 400, 15)],
    "name": TEXTS["cat_names"],
}
SETTINGS = [Setting(**row, values=VALUES[row["kind"]]) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    """One person makes a proposal. The other accepts or declines it, or makes a counterproposal that the first accepts or declines."""
    setting = rng.choice(SETTINGS)
    subject, values = setting.subject, setting.values
    one, two, three = people(rng, 3)
    first, second, third = rng.sample(values, 3)
    kind = rng.choice(["answer", "counter", "speaker"])
    # The reaction in each state. Only a plain answer may leave the proposal open or be missing.
    reactions = ("accepts", rng.choice(["declines", "leaves it open", "does not reply"])) if kind == "answer" else ("accepts", "declines")

    def say(forms: Sequence[str], value: str, draw: random.Random) -> str:
        return draw.choice(forms).format(v=value, a=f"{'an' if value[0] in 'aeiou' else 'a'} {value}")

    def render(flipped: bool, draw: random.Random) -> State:
        p, q = (two, one) if kind == "speaker" and flipped else (one, two)
        lines = [(p, draw.choice(setting.openers))] if draw.random() < 0.7 else []
        lines.append((p, say(setting.proposals, first, draw)))
        takes, refusal, refusal_2 = draw.choice(TEXTS["takes"]), *draw.sample(TEXTS["turns_down"], 2)
        if kind == "answer":
            replies = {
                "accepts": takes,
                "declines": refusal,
                "leaves it open": draw.choice(TEXTS["leaves_open"]),
                "does not reply": draw.choice(TEXTS["other_topics"]),
            }
            lines.append((q, replies[reactions[flipped]]))
        else:
            lines.append((q, f"{refusal}. {say(setting.counters, second, draw)}"))
            lines.append((p, refusal_2 if kind == "counter" and flipped else takes))
        for _ in range(draw.randint(0, 4)):
            lines.insert(draw.randint(0, 1), (draw.choice([p, q]), draw.choice(TEXTS["small_talk"])))
        if draw.random() < 0.4:
            visited = f"I was at {third} once, but that is another story"
            lines.insert(draw.randint(0, 1), (three, visited if setting.kind == "city" else "just reading along, do not mind me"))
        if draw.random() < 0.3:
            lines.append((draw.choice([p, q]), draw.choice(TEXTS["goodbyes"])))
        shape = draw.randrange(4)
        if shape < 2:
            return [{("from", "author")[shape]: who.name, "text": text} for who, text in lines]
        return "\n".join(f"{who.name}: {text}" if shape == 2 else f"<{who.name}> {text}" for who, text in lines)

    questions = []
    tempting = [first, second, third]
    if kind == "answer":
        tempting = [first, third, *rng.sample([v for v in values if v not in (first, third)], 2)]
    if kind == "speaker":
        for i, (p, q) in enumerate([(one, two), (two, one)]):
            proposed, rejected = (filled(TEXTS[key], p=p.name, q=q.name, v=first, w=second) for key in ("proposed", "rejected"))
            questions.append(polar(rng, (i == 0, i == 1), proposed, rejected))
        questions.append(pick(rng, filled(TEXTS["who_first"], v=first), (one.name, two.name), [three.name]))
        questions.append(pick(rng, filled(TEXTS["who_second"], v=first, w=second), (two.name, one.name), [three.name]))
    else:
        value = first if kind == "answer" else second
        p, q = (one, two) if kind == "answer" else (two, one)
        agreed, not_agreed = (filled(TEXTS[key], p=p.name, q=q.name, v=value, s=subject) for key in ("agreed", "not_agreed"))
        if reactions[1] != "declines":  # only the first form also fits a proposal left open
            not_agreed = not_agreed[:1]
        questions = [polar(rng, (True, False), agreed, not_agreed, TEXTS["agreed_meaning"]) for _ in range(2)]
        questions.append(pick(rng, formatted(TEXTS["ask_outcome"], subject=subject), (value, "nothing yet"), tempting))
        questions.append(described(rng, filled(TEXTS["ask_reaction"], q=q.name, v=value), TEXTS["reactions"], reactions))
    return made(rng, both(render, (False, True), rng), questions)
