"""Teaches that a later message corrects an earlier one, unless it is about something else or is itself taken back."""

import random

from .parts.asking import both, described, pick, polar
from .parts.people import CITIES, firm, people
from .parts.shapes import aside, fill, filled, formatted, made
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS, clock
from .parts.twin import State, Twin
from .parts.wording import cap, words

TEXTS = load_texts("corrections")


def values_of(rng: random.Random, kind: str, count: int) -> list[str]:
    """Different values for things of this kind."""
    if kind == "time":
        return [clock(rng, minutes, 0.3) for minutes in rng.sample(range(7 * 60, 20 * 60, 15), count)]
    if kind == "amount":
        return [words(n) if rng.random() < 0.5 else str(n) for n in rng.sample(range(3, 60), count)]
    if kind == "person":
        return [one.name for one in people(rng, count)]
    return rng.sample(WEEKDAYS if kind == "day" else CITIES, count)


def twin(rng: random.Random) -> Twin:
    kind = rng.choice(list(TEXTS["things"]))
    thing, thing_2 = rng.sample(TEXTS["things"][kind], 2)
    old, new, other, stray = values_of(rng, kind, 4)
    change = rng.choice(["target", "retract", "order"])
    writers = [one.name for one in people(rng, 2)] if kind != "person" else [firm(rng) + " office", "Front desk"]
    shape = rng.randrange(4)

    def render(flipped: bool, draw: random.Random) -> State:
        says = [
            fill(draw, TEXTS["says"], t=thing, v=new if change == "order" and flipped else old),
            fill(draw, TEXTS["says"], t=thing_2, v=other),
        ]
        draw.shuffle(says)
        # What differs between the states: target, which thing is corrected; order, which value came first; retract, whether the
        # correction is taken back.
        target, value = (thing_2, new) if change == "target" and flipped else (thing, old if change == "order" and flipped else new)
        lines = [
            *says,
            *([aside(draw)] * draw.randint(0, 1)),
            fill(draw, TEXTS["corrects"], t=target, v=value),
            *([aside(draw)] * draw.randint(0, 1)),
        ]
        end, stays = draw.choice(TEXTS["retracts"]), draw.choice(TEXTS["confirms"])
        if change == "retract":
            lines.append(cap(end if flipped else stays))
        elif draw.random() < 0.5:
            lines.append(cap(stays))
        minute = draw.randint(480, 900)
        stamps = [f"{(minute + 17 * i) // 60:02d}:{(minute + 17 * i) % 60:02d}" for i in range(len(lines))]
        if shape == 0:
            return [{"from": writers[0], "at": stamp, "text": line} for stamp, line in zip(stamps, lines, strict=False)]
        if shape == 1:
            return "\n".join(f"[{stamp}] {writers[0]}: {line}" for stamp, line in zip(stamps, lines, strict=False))
        if shape == 2:
            return f"{writers[0]} wrote to {writers[1]}: " + " ".join(f'"{line}"' for line in lines)
        return "\n---\n".join(f"Message {i}\n{line}" for i, line in enumerate(lines, 1))

    questions = []
    for value, holds in ((new, (True, False)), (old, (False, True))):
        questions.append(
            polar(rng, holds, filled(TEXTS["valid"], t=thing, v=value), filled(TEXTS["invalid"], t=thing, v=value), TEXTS["valid_meaning"])
        )
    questions.append(pick(rng, filled(TEXTS["ask_value"], t=thing), (new, old), [other, stray]))
    if change == "target":
        questions.append(pick(rng, filled(TEXTS["ask_value"], t=thing_2), (other, new), [old, stray]))
        ask_changes = formatted(TEXTS["ask_changes"], thing=thing)
        questions.append(described(rng, ask_changes, TEXTS["changes"], ("changed once", "never changed")))
        others = [name for name in TEXTS["things"][kind] if name not in (thing, thing_2)][:2]
        questions.append(pick(rng, TEXTS["what_corrected"], (thing, thing_2), others))
    elif change == "retract":
        questions.append(polar(rng, (True, False), TEXTS["stands"], TEXTS["taken_back"]))
        ask_changes = formatted(TEXTS["ask_changes"], thing=thing)
        questions.append(described(rng, ask_changes, TEXTS["changes"], ("changed once", "changed and changed back")))
    else:
        questions.append(pick(rng, filled(TEXTS["ask_replaced"], t=thing), (old, new), [other, stray]))
    return made(rng, both(render, (False, True), rng), questions)
