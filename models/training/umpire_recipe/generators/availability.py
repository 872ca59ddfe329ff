"""Teaches calendars and slots: who or what is free when, and which slot suits two at once."""

import random

from .parts.asking import both, pick, polar
from .parts.people import people
from .parts.shapes import fill, filled, formatted, layout, made, padded
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS, clock
from .parts.twin import State, Twin, score
from .parts.wording import listed

TEXTS = load_texts("availability")


def twin(rng: random.Random) -> Twin:
    """Slots are the hours of a day, or the mornings and afternoons of a week. One entry is in another slot in the second state."""
    by_hour, with_people = rng.random() < 0.55, rng.random() < 0.6
    count = rng.choice([2, 2, 3])
    names = [one.name for one in people(rng, count)] if with_people else rng.sample(TEXTS["things"], count)
    plans = rng.sample(TEXTS["person_plans"] if with_people else TEXTS["thing_plans"], count * 2)
    slots = list(range(8, 18)) if by_hour else list(range(10))  # half days: 2 * weekday, plus 1 for the afternoon
    picked = rng.sample(slots, min(len(slots), 2 + count * 2))
    moved_from, moved_to = picked[:2]
    fixed = {name: picked[2 + i : 3 + i] for i, name in enumerate(names)}
    for name in names[1:]:  # others may be busy in the two slots, too
        for slot in (moved_from, moved_to):
            if rng.random() < 0.3:
                fixed[name] = [*fixed[name], slot]
    target = names[0]
    worlds = [{**fixed, target: [*fixed[target], slot]} for slot in (moved_from, moved_to)]

    def when(draw: random.Random, slot: int, exact: bool = True) -> str:
        if not by_hour:
            day, part = WEEKDAYS[slot // 2], "morning" if slot % 2 == 0 else "afternoon"
            side = "before" if part == "morning" else "after"
            return draw.choice([f"on {day} {part}", f"{side} noon on {day}", f"on {day} in the {part}"])
        start, end = clock(draw, slot * 60, 0.3), clock(draw, slot * 60 + 60, 0.3)
        if exact:
            return draw.choice([f"from {start} to {end}", f"between {start} and {end}", f"from {start} for one hour"])
        return draw.choice([f"at {clock(draw, slot * 60 + draw.choice([15, 30, 45]), 0.5)}", f"from {start} to {end}"])

    def label(slot: int) -> str:
        return f"{slot:02d}:00-{slot + 1:02d}:00" if by_hour else f"{WEEKDAYS[slot // 2][:3]} {'am' if slot % 2 == 0 else 'pm'}"

    def render(world: dict[str, list[int]], draw: random.Random) -> State:
        shape = draw.randrange(5)
        if shape == 0:
            busy = {name: [label(slot) for slot in sorted(taken)] for name, taken in world.items()}
            return {"busy": busy, "note": "all other times are free"}
        facts = []
        for name in draw.sample(names, count):
            reasons = plans[names.index(name) * 2 :][:2]
            for slot, why in zip(world[name], reasons * 2, strict=False):
                facts.append(fill(draw, TEXTS["busy"], p=name, when=when(draw, slot), why=why))
        draw.shuffle(facts)
        facts.append(draw.choice(TEXTS["day_else_free" if by_hour else "week_else_free"]))
        return layout(draw, padded(draw, facts, 1), "Calendar", mix=False)

    def free(name: str, slot: int) -> tuple[bool, bool]:
        return slot not in worlds[0][name], slot not in worlds[1][name]

    questions = []
    for slot in (moved_from, moved_to):
        at = when(rng, slot, exact=False)
        questions.append(
            polar(
                rng,
                free(target, slot),
                filled(TEXTS["free"], p=target, at=at),
                filled(TEXTS["taken"], p=target, at=at),
                TEXTS["free_meaning"],
            )
        )
        other = rng.choice(names[1:])
        joint = tuple(mine and theirs for mine, theirs in zip(free(target, slot), free(other, slot), strict=False))
        if joint[0] != joint[1]:
            pair = rng.sample([target, other], 2)
            questions.append(
                polar(
                    rng,
                    (joint[0], joint[1]),
                    filled(TEXTS["both_free"], p=pair[0], q=pair[1], at=at),
                    filled(TEXTS["not_both"], p=pair[0], q=pair[1], at=at),
                )
            )
        counts = [sum(slot not in world[name] for name in names) for world in worlds]
        how_many = rng.choice(formatted(TEXTS["how_many_free"], names=listed(names), at=at))
        questions.append(score(how_many, ["none", "one", "two", "three"][: count + 1], (counts[0], counts[1])))
    # On offer: the two slots, and those in which the target is busy in both states. Only one suits.
    offered = {slot: when(rng, slot) for slot in [moved_from, moved_to, *fixed[target]]}
    taken = [offered[slot] for slot in fixed[target]]
    questions.append(pick(rng, filled(TEXTS["which_suits"], p=target), (offered[moved_to], offered[moved_from]), taken))
    busy_elsewhere = [when(rng, slot) for slot in slots if slot not in picked][:3]
    questions.append(pick(rng, filled(TEXTS["which_taken"], p=target), (offered[moved_from], offered[moved_to]), busy_elsewhere))
    return made(rng, both(render, worlds, rng), questions)
