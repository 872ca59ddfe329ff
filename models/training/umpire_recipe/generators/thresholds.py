"""Teaches limits: whether a value meets a limit. 'At least', 'over', 'up to' and 'under' differ at the limit itself."""

import operator
import random
from collections.abc import Sequence
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar, without_repeats
from .parts.layouts import with_asides
from .parts.people import people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import Twin, score
from .parts.wording import cap, number

TEXTS = load_texts("thresholds")


@dataclass(frozen=True)
class Setting:
    """rules: the rule, with the limit {rule} in words. cases: the {value} of {who}. good, bad: what follows for {who} if it is met or not.

    unit: singular and plural. low, high, step: the range of limits.
    """

    title: str
    rules: tuple[str, ...]
    cases: tuple[str, ...]
    good: tuple[str, ...]
    bad: tuple[str, ...]
    unit: tuple[str, str]
    low: int
    high: int
    step: int


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]
HOLDS = {"at_least": operator.ge, "more_than": operator.gt, "at_most": operator.le, "less_than": operator.lt}


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    kind = rng.choice(list(HOLDS))
    holds = HOLDS[kind]
    limit = rng.randrange(s.low, s.high + 1, s.step)
    # Values at the limit and on both sides of it.
    near = [limit, limit + s.step, limit - s.step, limit + 3 * s.step, limit - 3 * s.step, limit + 2 * s.step]
    first = rng.choice(near)
    second = rng.choice([value for value in near if holds(value, limit) != holds(first, limit)])
    about_disks = s.title == "Disk alarm"
    name = rng.choice(TEXTS["volumes"] if about_disks else [p.name for p in people(rng, 1)])
    rival = rng.choice(TEXTS["other_volumes"]) if about_disks else next(p.name for p in people(rng, 3) if p.name != name)
    rival_value = rng.choice([first, second, *near])

    def say(n: int) -> str:
        return f"{number(rng, n, 0.35)} {s.unit[n != 1]}"

    limit_text, values, rival_text = rng.choice(TEXTS["limits"][kind]).format(n=say(limit)), (say(first), say(second)), say(rival_value)
    rule, case, rival_case = rng.choice(s.rules).format(rule=limit_text), *rng.sample(s.cases, 2)

    def render(value: str, local: random.Random) -> str:
        cases = [case.format(who=name, value=value)]
        if has_rival:
            cases.append(rival_case.format(who=rival, value=rival_text))
        local.shuffle(cases)
        if old_rule:
            cases.insert(local.randrange(len(cases) + 1), old_rule)
        lines = with_asides(local, [rule, *cases] if local.random() < 0.75 else [*cases, rule])
        shape = local.randrange(4)
        if shape == 0:
            return "\n".join(lines)
        return f"{s.title}\n" + "\n".join("- " + line for line in lines) if shape == 1 else " ".join(lines)

    has_rival = rng.random() < 0.7
    old = say(limit + rng.choice([-4, -3, -2, 2, 3, 4]) * s.step)
    old_rule = rng.choice(formatted(TEXTS["old_rules"], old=old)) if rng.random() < 0.4 else ""
    states = both(render, values, rng)
    truth = (holds(first, limit), holds(second, limit))

    def ask(forms: Sequence[str]) -> list[str]:
        claims = formatted(forms, who=name)
        return [question for claim in claims for question in formatted(TEXTS["claims"], claim=claim, Claim=cap(claim))]

    meaning = (rng.choice(s.good).format(who=name), rng.choice(s.bad).format(who=name))
    questions = [polar(rng, truth, ask(s.good), ask(s.bad), meaning)]
    if rng.random() < 0.4:
        questions.append(polar(rng, truth, ask(s.good), ask(s.bad)))
    sign = tuple((value > limit) - (value < limit) + 1 for value in (first, second))
    levels = rng.choice(TEXTS["comparisons"])
    if rng.random() < 0.6:
        questions.append(score(rng.choice(formatted(TEXTS["ask_comparison"], name=name)), levels, sign))
    else:
        names = ("under", "at", "over")
        questions.append(described(rng, formatted(TEXTS["ask_side"], name=name), TEXTS["sides"], (names[sign[0]], names[sign[1]])))
    yes, no = rng.choice(TEXTS["verdicts"])
    if rng.random() < 0.6:
        options = {yes: meaning[0], no: meaning[1]}
        questions.append(described(rng, formatted(TEXTS["ask_verdict"], name=name), options, ((no, yes)[truth[0]], (no, yes)[truth[1]])))
    if has_rival and rng.random() < 0.6:
        rival_truth = holds(rival_value, limit)
        labels = {(True, True): "both", (True, False): f"only {name}", (False, True): f"only {rival}", (False, False): "neither"}
        who_meets = TEXTS["which_volume" if about_disks else "who_meets"]
        right = (labels[truth[0], rival_truth], labels[truth[1], rival_truth])
        questions.append(pick(rng, who_meets, right, list(labels.values()), most=4, fixed=True, opaque=0.15))
    if first != second and rng.random() < 0.4:
        wrong = [str(value) for value in (*near, rival_value)]
        questions.append(pick(rng, formatted(TEXTS["ask_figure"], name=name), (str(first), str(second)), wrong, most=6))
    return Twin(states, without_repeats(questions))
