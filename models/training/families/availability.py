"""Teaches calendars and slots: who or what is free when, which slot suits two at once, whether a span fits between two entries."""

import random

from .asking import both, pick, polar
from .people import people
from .shapes import fill, filled, formatted, layout, made, padded
from .text_files import load_texts
from .times import WEEKDAYS, clock
from .twin import State, Twin, score
from .wording import listed

TEXTS = load_texts("availability")


def twin(rng: random.Random) -> Twin:
    """Slots are hours of one day, or mornings and afternoons of a week; one entry of one calendar lies in another slot in the second world."""
    by_hour, with_people = rng.random() < 0.55, rng.random() < 0.6
    count = rng.choice([2, 2, 3])
    names = [one.name for one in people(rng, count)] if with_people else rng.sample(TEXTS["things"], count)
    plans = rng.sample(TEXTS["person_plans"] if with_people else TEXTS["thing_plans"], count * 2)
    slots = list(range(8, 18)) if by_hour else list(range(10))  # half days: 2 * weekday + (0 morning, 1 afternoon)
    picked = rng.sample(slots, min(len(slots), 2 + count * 2))
    moved_from, moved_to = picked[:2]
    fixed = {name: picked[2 + i : 3 + i] for i, name in enumerate(names)}
    for name in names[1:]:  # others may be busy at the two slots in question as well
        for slot in (moved_from, moved_to):
            if rng.random() < 0.3:
                fixed[name] = fixed[name] + [slot]
    target = names[0]
    worlds = [{**fixed, target: fixed[target] + [slot]} for slot in (moved_from, moved_to)]

    def when(draw: random.Random, slot: int, exact: bool = True) -> str:
        if not by_hour:
            day, part = WEEKDAYS[slot // 2], "morning" if slot % 2 == 0 else "afternoon"
            return draw.choice(
                [f"on {day} {part}", f"{(part == 'morning' and 'before') or 'after'} noon on {day}", f"on {day} in the {part}"]
            )
        start, end = clock(draw, slot * 60, 0.3), clock(draw, slot * 60 + 60, 0.3)
        return draw.choice(
            [f"from {start} to {end}", f"between {start} and {end}", f"from {start} for one hour"]
            if exact
            else [f"at {clock(draw, slot * 60 + draw.choice([15, 30, 45]), 0.5)}", f"from {start} to {end}"]
        )

    def render(world: dict[str, list[int]], draw: random.Random) -> State:
        shape = draw.randrange(5)
        if shape == 0:
            label = (
                (lambda slot: f"{slot:02d}:00-{slot + 1:02d}:00")
                if by_hour
                else (lambda slot: f"{WEEKDAYS[slot // 2][:3]} {'am' if slot % 2 == 0 else 'pm'}")
            )
            return {
                "busy": {name: [label(slot) for slot in sorted(taken)] for name, taken in world.items()},
                "note": "all other times are free",
            }
        facts = []
        order = draw.sample(names, count)
        for name in order:
            reasons = plans[names.index(name) * 2 :]
            for slot, why in zip(world[name], [reasons[0], reasons[1], reasons[0], reasons[1]], strict=False):
                facts.append(fill(draw, TEXTS["busy"], p=name, when=when(draw, slot), why=why))
        draw.shuffle(facts)
        return layout(
            draw,
            padded(
                draw,
                [
                    *facts,
                    draw.choice(
                        TEXTS["else_free"]
                        if by_hour
                        else [form.replace("that day", "that week").replace("of the day", "of the week") for form in TEXTS["else_free"]]
                    ),
                ],
                1,
            ),
            "Calendar",
            mix=False,
        )

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
        if count > 1:
            counts = [sum(slot not in world[name] for name in names) for world in worlds]
            questions.append(
                score(
                    rng.choice(formatted(TEXTS["how_many_free"], names=listed(names), at=at)),
                    ["none", "one", "two", "three"][: count + 1],
                    (counts[0], counts[1]),
                )
            )
    # the one slot on offer that suits: the two slots in question, and slots at which the target is busy in both worlds
    offered = {slot: when(rng, slot) for slot in [moved_from, moved_to, *fixed[target]]}
    questions.append(
        pick(
            rng, filled(TEXTS["which_suits"], p=target), (offered[moved_to], offered[moved_from]), [offered[slot] for slot in fixed[target]]
        )
    )
    busy_elsewhere = [when(rng, slot) for slot in slots if slot not in picked][:3]
    questions.append(pick(rng, filled(TEXTS["which_taken"], p=target), (offered[moved_from], offered[moved_to]), busy_elsewhere))
    return made(rng, both(render, worlds, rng), questions)
