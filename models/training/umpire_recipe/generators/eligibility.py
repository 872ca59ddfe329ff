"""Teaches who qualifies: several criteria against records, tables or notes on a few applicants."""

import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar
from .parts.layouts import lay_out, table
from .parts.people import CITIES, people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score
from .parts.wording import cap, count, listed, words

TEXTS = load_texts("eligibility")


@dataclass(frozen=True)
class Field:
    """A criterion. rule: the limit {n} in words. note: the value {v} of {who}. low, high, step: the range of limits.

    unit: in singular and plural.
    """

    name: str
    rule: tuple[str, ...]
    note: tuple[str, ...]
    low: int
    high: int
    step: int
    at_least: bool
    unit: tuple[str, str] = ("", "")


@dataclass(frozen=True)
class Setting:
    """aim: what the applicants apply for, as 'rent support'."""

    titles: tuple[str, ...]
    aim: str
    fields: list[Field]


SETTINGS = [Setting(row["titles"], row["aim"], [Field(**field) for field in row["fields"]]) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    fields = rng.sample(s.fields, rng.choice([2, 3, 3]))
    label = [f.name.replace("_", " ") for f in fields]
    limits = [rng.randrange(f.low, f.high + 1, f.step) for f in fields]

    def passes(k: int, v: int) -> bool:
        return v >= limits[k] if fields[k].at_least else v <= limits[k]

    def value(k: int, good: bool) -> int:
        """A value near the limit, sometimes the limit itself."""
        away = (rng.choice([0, 0, 1, 2, 4]) if good else rng.choice([1, 1, 2])) * fields[k].step
        return max(1 if fields[k].low < 10 else fields[k].step, limits[k] + (away if good == fields[k].at_least else -away))

    persons = people(rng, rng.randint(1, 4))
    names = [p.name for p in persons]
    # The questions are about the first: meets every criterion in one state, misses one in the other.
    records = [[value(k, True) for k in range(len(fields))]]
    records += [[value(k, rng.random() < 0.75) for k in range(len(fields))] for _ in names[1:]]
    k = rng.randrange(len(fields))
    failed = [*records[0]]
    failed[k] = value(k, False)
    if passes(k, failed[k]):  # the value cannot be lower, so the limit is raised
        limits[k] += fields[k].step
        records[0][k], failed[k] = limits[k], limits[k] + (-1 if fields[k].at_least else 1) * fields[k].step
    cases = [records[0], failed]
    rng.shuffle(cases)
    tell_rule = [rng.choice(f.rule) for f in fields]
    tell_note = [[rng.choice(f.note) for f in fields] for _ in names]
    order, shape, title = rng.sample(range(len(names)), len(names)), rng.random(), rng.choice(s.titles).format(city=rng.choice(CITIES))
    head = rng.choice(TEXTS["heads"])

    def render(first: list[int], local: random.Random) -> State:
        def say(i: int, v: int) -> str:
            return count(local, v, *fields[i].unit, 0.3) if fields[i].unit[0] != "percent" else f"{v} percent"

        rule = head.format(aim=s.aim, Aim=cap(s.aim), all="; ".join(tell_rule[i].format(n=say(i, limits[i])) for i in range(len(fields))))
        rows = [first, *records[1:]]
        if shape < 0.2:
            return f"{title}\n{rule}\n\n{table(['name', *label], [[names[i], *rows[i]] for i in order])}"
        if shape < 0.4:
            columns = ["name", *(f.name for f in fields)]
            return {"rule": rule, "applicants": [dict(zip(columns, [names[i], *rows[i]], strict=True)) for i in order]}
        notes = []
        for i in order:
            parts = []
            for j, form in enumerate(tell_note[i]):  # the name comes first, then the pronoun where it is the subject
                who = persons[i].he if j > 0 and form.startswith("{who} ") else names[i]
                parts.append(form.format(who=who, v=say(j, rows[i][j])))
            notes.append(cap(listed(parts)) + ".")
        return lay_out(local, [rule, *notes] if local.random() < 0.7 else [*notes, rule], title if local.random() < 0.6 else None)

    states = both(render, cases, rng)

    def okay(row: list[int]) -> bool:
        return all(passes(i, v) for i, v in enumerate(row))

    truth, who = (okay(cases[0]), okay(cases[1])), names[0]
    yes, no = formatted(TEXTS["yes"], who=who, aim=s.aim), formatted(TEXTS["no"], who=who, aim=s.aim)
    questions = [polar(rng, truth, yes, no, formatted(TEXTS["yes_meaning"], who=who))]
    met = tuple(sum(passes(i, v) for i, v in enumerate(row)) for row in cases)
    if rng.random() < 0.6:
        right = tuple("none" if good else label[k] for good in truth)
        questions.append(pick(rng, formatted(TEXTS["ask_failing"], who=who), right, [*label, "none"], most=5, fixed=True))
    if rng.random() < 0.35:
        questions.append(score(rng.choice(formatted(TEXTS["how_many_met"], who=who)), [words(n) for n in range(len(fields) + 1)], met))
    if len(names) > 1:

        def fit(row: list[int]) -> list[str]:
            return [n for n, r in sorted(zip(names, [row, *records[1:]], strict=True)) if okay(r)]

        def tell(row: list[int]) -> str:
            return listed(fit(row)) if fit(row) else "nobody"

        right = (tell(cases[0]), tell(cases[1]))
        wrong = [listed(sorted(names)), "nobody", *names] + [listed(sorted(rng.sample(names, 2))) for _ in range(3)]
        if rng.random() < 0.7:
            questions.append(pick(rng, formatted(TEXTS["who_passes"], aim=s.aim), right, wrong, most=6, fixed=True))
        else:
            right = (words(len(fit(cases[0]))), words(len(fit(cases[1]))))
            counts = [words(n) for n in range(len(names) + 1)]
            questions.append(pick(rng, formatted(TEXTS["how_many_pass"], aim=s.aim), right, counts, most=5, fixed=True))
    v = cases[0][k], cases[1][k]
    if len(questions) == 1 or rng.random() < 0.4:
        point_met, point_missed = (formatted(TEXTS[key], point=label[k], who=who) for key in ("point_met", "point_missed"))
        questions.append(polar(rng, (passes(k, v[0]), passes(k, v[1])), point_met, point_missed))
    return Twin(states, questions)
