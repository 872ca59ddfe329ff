"""Teaches stock and order arithmetic: what is left, missing or over after a movement or two, with numbers in words and rivals in the same text."""

import random

from .asking import both, pick, polar
from .layouts import lay_out, with_asides
from .people import DEPARTMENTS, FOOD, GOODS, SUPPLIES, people
from .shapes import formatted
from .text_files import load_texts
from .twin import Twin, score
from .wording import count

TEXTS = load_texts("quantities")


def twin(rng: random.Random) -> Twin:
    item, rest = rng.sample(rng.choice([GOODS, SUPPLIES, FOOD]), 2)
    place, takers = rng.choice(TEXTS["places"]), [p.name for p in people(rng, 2)] if rng.random() < 0.6 else rng.sample(DEPARTMENTS, 2)
    start, need = rng.randint(14, 90), 0
    base = {"start": start, "out": rng.randint(3, start // 3), "out2": rng.randint(2, start // 4), "in": rng.randint(2, 30)}
    steps = ["out", *(["in"] if rng.random() < 0.6 else []), *(["out2"] if rng.random() < 0.5 else [])]

    def left(f):
        return f["start"] + sum(f[step] * (1 if step == "in" else -1) for step in steps)

    changed = dict(base)
    key = rng.choice(["start", *steps])
    while abs(left(changed) - left(base)) < 2 or left(changed) < 2:
        changed[key] = max(2, base[key] + rng.choice([-9, -7, -5, -4, -3, -2, 2, 3, 4, 5, 7, 9]))
    facts = [base, changed] if rng.random() < 0.5 else [changed, base]
    lefts = (left(facts[0]), left(facts[1]))
    # what is needed lies between the two remainders, the larger of them included
    need = rng.randint(min(lefts) + 1, max(lefts))
    forms = {
        "start": rng.choice(TEXTS["start"]),
        "out": rng.choice(TEXTS["out"]),
        "out2": rng.choice(TEXTS["out"]),
        "in": rng.choice(TEXTS["in"]),
        "need": rng.choice(TEXTS["need"]),
    }
    extra = rng.choice(TEXTS["other"]) if rng.random() < 0.5 else ""
    extra_count = rng.choice([need, *lefts, rng.randint(3, 60)])

    def render(f: dict[str, int], local: random.Random) -> object:
        def say(n):
            return count(local, n, item.one, item.many, 0.4)

        lines = [forms[step].format(x=say(f[step]), place=place, who=takers[step == "out2"]) for step in ("start", *steps)]
        others = [forms["need"].format(x=say(need))] + (
            [extra.format(x=count(local, extra_count, rest.one, rest.many), place=place)] if extra else []
        )
        for line in others:
            lines.insert(local.randrange(len(lines) + 1), line)
        return lay_out(local, with_asides(local, lines), title)

    title = rng.choice([None, f"{place.capitalize()} book", f"Stock note: {item.many}", "Handover", f"{place.capitalize()}, Friday"])
    states = both(render, facts, rng)
    questions = [
        polar(
            rng, (lefts[0] >= need, lefts[1] >= need), TEXTS["enough"], TEXTS["short"], formatted(TEXTS["enough_meaning"], many=item.many)
        )
    ]
    tempting = [
        str(n)
        for n in (
            facts[0]["start"],
            need,
            facts[0]["out"],
            lefts[0] + facts[0]["out"],
            abs(lefts[0] - need),
            extra_count,
            max(lefts) + 1,
            min(lefts) - 1,
        )
    ]

    def ask(forms_):
        return rng.choice(forms_).format(many=item.many, Many=item.many[0].upper() + item.many[1:], place=place)

    questions.append(pick(rng, ask(TEXTS["left"]), (str(lefts[0]), str(lefts[1])), tempting, most=7))
    gaps = tuple(n - need for n in lefts)

    def over(g):
        return "exactly enough" if g == 0 else f"{g} too many" if g > 0 else f"{-g} too few"

    if rng.random() < 0.5:
        questions.append(
            pick(
                rng,
                formatted(TEXTS["ask_difference"], many=item.many),
                (over(gaps[0]), over(gaps[1])),
                [over(-gaps[0]), over(-gaps[1]), over(gaps[0] + 2), over(gaps[1] - 1), over(0)],
                most=6,
            )
        )
    if rng.random() < 0.5:
        levels = TEXTS["levels"]

        def level(g):
            return 2 if g == 0 else (3 if g <= 3 else 4) if g > 0 else (1 if g >= -3 else 0)

        questions.append(score(rng.choice(formatted(TEXTS["ask_level"], many=item.many)), levels, (level(gaps[0]), level(gaps[1]))))
    point = rng.choice([n for n in range(min(lefts), max(lefts))])
    if rng.random() < 0.6:
        many = item.many
        questions.append(
            polar(
                rng,
                (lefts[0] > point, lefts[1] > point),
                formatted(TEXTS["more_left"], point=point, many=many, place=place, next=point + 1),
                [
                    f"At most {point} {many} are left.",
                    f"Are there {point} {many} or fewer by the end?",
                    f"The stock of {many} has fallen to {point} or below." if point < start else f"No more than {point} {many} remain.",
                ],
            )
        )
    return Twin(states, questions)
