"""Teaches stock arithmetic: what is left, missing or over after some movements, with numbers in words and other stock nearby."""

import random

from .parts.asking import both, pick, polar
from .parts.layouts import lay_out, with_asides
from .parts.people import DEPARTMENTS, FOOD, GOODS, SUPPLIES, people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import Twin, score
from .parts.wording import cap, count

TEXTS = load_texts("quantities")


def twin(rng: random.Random) -> Twin:
    item, rest = rng.sample(rng.choice([GOODS, SUPPLIES, FOOD]), 2)
    place, takers = rng.choice(TEXTS["places"]), [p.name for p in people(rng, 2)] if rng.random() < 0.6 else rng.sample(DEPARTMENTS, 2)
    start = rng.randint(14, 90)
    base = {"start": start, "out": rng.randint(3, start // 3), "out2": rng.randint(2, start // 4), "in": rng.randint(2, 30)}
    steps = ["out", *(["in"] if rng.random() < 0.6 else []), *(["out2"] if rng.random() < 0.5 else [])]

    def left(f: dict[str, int]) -> int:
        return f["start"] + sum(f[step] * (1 if step == "in" else -1) for step in steps)

    changed = dict(base)
    key = rng.choice(["start", *steps])
    while abs(left(changed) - left(base)) < 2 or left(changed) < 2:
        changed[key] = max(2, base[key] + rng.choice([-9, -7, -5, -4, -3, -2, 2, 3, 4, 5, 7, 9]))
    facts = [base, changed] if rng.random() < 0.5 else [changed, base]
    lefts = (left(facts[0]), left(facts[1]))
    # The need is above the smaller remainder and at most the larger one.
    need = rng.randint(min(lefts) + 1, max(lefts))
    forms = {step: rng.choice(TEXTS["forms"][step.removesuffix("2")]) for step in ("start", "out", "out2", "in", "need")}
    extra = rng.choice(TEXTS["other"]) if rng.random() < 0.5 else ""
    extra_count = rng.choice([need, *lefts, rng.randint(3, 60)])

    def render(f: dict[str, int], local: random.Random) -> object:
        def say(n: int) -> str:
            return count(local, n, item.one, item.many, 0.4)

        lines = [forms[step].format(x=say(f[step]), place=place, who=takers[step == "out2"]) for step in ("start", *steps)]
        others = [forms["need"].format(x=say(need))]
        if extra:
            others.append(extra.format(x=count(local, extra_count, rest.one, rest.many), place=place))
        for line in others:
            lines.insert(local.randrange(len(lines) + 1), line)
        return lay_out(local, with_asides(local, lines), title)

    title = rng.choice([None, f"{place.capitalize()} book", f"Stock note: {item.many}", "Handover", f"{place.capitalize()}, Friday"])
    states = both(render, facts, rng)
    values = {"many": item.many, "Many": cap(item.many), "place": place}
    enough = (lefts[0] >= need, lefts[1] >= need)
    questions = [polar(rng, enough, TEXTS["enough"], TEXTS["short"], formatted(TEXTS["enough_meaning"], **values))]
    start, out = facts[0]["start"], facts[0]["out"]
    tempting = [start, need, out, lefts[0] + out, abs(lefts[0] - need), extra_count, max(lefts) + 1, min(lefts) - 1]
    ask_left = rng.choice(formatted(TEXTS["left"], **values))
    questions.append(pick(rng, ask_left, (str(lefts[0]), str(lefts[1])), [str(n) for n in tempting], most=7))
    gaps = tuple(n - need for n in lefts)

    def over(gap: int) -> str:
        if gap == 0:
            return "exactly enough"
        return f"{gap} too many" if gap > 0 else f"{-gap} too few"

    if rng.random() < 0.5:
        wrong = [over(gap) for gap in (-gaps[0], -gaps[1], gaps[0] + 2, gaps[1] - 1, 0)]
        questions.append(pick(rng, formatted(TEXTS["ask_difference"], **values), (over(gaps[0]), over(gaps[1])), wrong, most=6))
    if rng.random() < 0.5:
        levels = tuple(2 if gap == 0 else (3 if gap <= 3 else 4) if gap > 0 else (1 if gap >= -3 else 0) for gap in gaps)
        questions.append(score(rng.choice(formatted(TEXTS["ask_level"], **values)), TEXTS["levels"], levels))
    point = rng.choice(range(min(lefts), max(lefts)))
    if rng.random() < 0.6:
        values |= {"point": point, "next": point + 1}
        more_left, no_more_left = formatted(TEXTS["more_left"], **values), formatted(TEXTS["no_more_left"], **values)
        if point >= base["start"]:  # the stock has not fallen
            no_more_left[-1] = TEXTS["no_more_remain"].format(**values)
        questions.append(polar(rng, (lefts[0] > point, lefts[1] > point), more_left, no_more_left))
    return Twin(states, questions)
