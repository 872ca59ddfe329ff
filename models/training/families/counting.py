"""Teaches counting: how many of a list fall into a class told in other words, which class is largest, and who belongs to it."""

import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .layouts import lay_out, table, with_asides
from .people import people
from .shapes import formatted
from .text_files import load_texts
from .twin import State, Twin, score
from .wording import cap, listed, words

TEXTS = load_texts("counting")


@dataclass(frozen=True)
class Setting:
    """classes: label -> (ways to say it of {who}, word for a log or table). noun: what is counted, as 'guest'."""

    title: str
    noun: tuple[str, str]
    classes: dict[str, tuple[tuple[str, ...], str]]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    n = rng.randint(4, 8)
    persons = people(rng, n)
    who = rng.sample(TEXTS["services"], n) if s.title == "Deploys" else [p.name for p in persons]
    labels = list(s.classes)
    given = [rng.choice(labels) for _ in range(n)]
    i = rng.randrange(n)
    other = [*given]
    other[i] = rng.choice([label for label in labels if label != given[i]])
    cases = [given, other]
    forms, shape = [rng.randrange(4) for _ in range(n)], rng.random()
    start = rng.randrange(420, 1200)
    times = [start + 2 * k + rng.randrange(2) for k in range(n)]
    title = rng.choice([None, s.title, cap(s.noun[1]), "Overview", "Today"])
    joined = rng.random() < 0.4

    def render(now: list[str], local: random.Random) -> State:
        if shape < 0.15:
            return table([s.noun[0], "status"], [[who[k], s.classes[now[k]][1]] for k in range(n)])
        if shape < 0.25:
            return [{s.noun[0]: who[k], "status": s.classes[now[k]][1]} for k in range(n)]
        if shape < 0.35:
            return "\n".join(f"{times[k] // 60:02d}:{times[k] % 60:02d} {who[k]}: {s.classes[now[k]][1]}" for k in range(n))
        clauses = [s.classes[now[k]][0][forms[k]].format(who=who[k], his=persons[k].his, possessive=f"{who[k]}'s") for k in range(n)]
        if joined:  # two or three clauses a sentence
            sentences, k = [], 0
            while k < n:
                size = local.randint(1, 3)
                sentences.append(listed(clauses[k : k + size]) if size < 3 else "; ".join(clauses[k : k + size]))
                k += size
            return lay_out(local, [sentence + "." for sentence in sentences], title)
        return lay_out(local, with_asides(local, [clause + "." for clause in clauses], 1), title)

    states = both(render, cases, rng)
    one, many = s.noun
    changed = [given[i], other[i]]
    label = rng.choice(changed)
    count = tuple(case.count(label) for case in cases)
    kind = f'fall under "{label}"' if rng.random() < 0.5 else f'are to be counted as "{label}"'
    # the numbers near the right ones as options, in words or digits
    near = range(max(0, min(count) - 2), min(n, max(count) + 2) + 1)
    style = rng.choice([words, str])
    questions = [
        pick(
            rng,
            formatted(TEXTS["how_many"], many=many, kind=kind, label=label, Label=cap(label)),
            (style(count[0]), style(count[1])),
            [style(k) for k in near],
            most=6,
        )
    ]
    point = min(count)
    questions.append(
        polar(
            rng,
            (count[0] > point, count[1] > point),
            [
                f"More than {words(point)} {many} {kind}." if point != 1 else f'More than one of the {many} may be called "{label}".',
                f'Are there at least {words(point + 1)} {many} under "{label}"?',
                f'"{cap(label)}" is true of {words(point + 1)} {many} or more.',
            ],
            [
                f"No more than {words(point)} of the {many} {kind}." if point else f'Not one of the {many} may be called "{label}".',
                f'Are there fewer than {words(point + 1)} {many} under "{label}"?',
                f'"{cap(label)}" is true of fewer than {words(point + 1)} {many}.',
            ],
        )
    )
    if rng.random() < 0.6:
        questions.append(pick(rng, formatted(TEXTS["ask_member"], who=who[i]), (cases[0][i], cases[1][i]), labels, most=3, fixed=True))
    largest = []
    for case in cases:
        counts = sorted(((case.count(l), l) for l in labels), reverse=True)
        largest.append("a tie" if counts[0][0] == counts[1][0] else counts[0][1])
    if rng.random() < 0.7 and largest[0] != largest[1]:
        questions.append(
            pick(rng, formatted(TEXTS["ask_largest"], many=many), (largest[0], largest[1]), [*labels, "a tie"], most=4, fixed=True)
        )
    a_label, b_label = changed
    compare = tuple((case.count(a_label) > case.count(b_label)) - (case.count(a_label) < case.count(b_label)) + 1 for case in cases)
    if compare[0] != compare[1] and rng.random() < 0.6:
        questions.append(
            score(f'Compared with "{b_label}", "{a_label}" has', [f"fewer {many}", f"as many {many}", f"more {many}"], compare)
        )
    return Twin(states, questions)
