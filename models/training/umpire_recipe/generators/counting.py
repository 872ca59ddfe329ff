"""Teaches counting: how many of a list belong to a class that is told in other words, and which class is largest."""

import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar
from .parts.layouts import lay_out, table, with_asides
from .parts.people import people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score
from .parts.wording import cap, listed, words

TEXTS = load_texts("counting")


@dataclass(frozen=True)
class Class:
    """told: ways to say that {who} belongs to it. status: the word for it in a log or table."""

    told: tuple[str, ...]
    status: str


@dataclass(frozen=True)
class Setting:
    """noun: what is counted, in singular and plural. classes: by label."""

    title: str
    noun: tuple[str, str]
    classes: dict[str, Class]


SETTINGS = [
    Setting(row["title"], row["noun"], {label: Class(**texts) for label, texts in row["classes"].items()}) for row in TEXTS["settings"]
]


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
            return table([s.noun[0], "status"], [[who[k], s.classes[now[k]].status] for k in range(n)])
        if shape < 0.25:
            return [{s.noun[0]: who[k], "status": s.classes[now[k]].status} for k in range(n)]
        if shape < 0.35:
            return "\n".join(f"{times[k] // 60:02d}:{times[k] % 60:02d} {who[k]}: {s.classes[now[k]].status}" for k in range(n))
        clauses = [s.classes[now[k]].told[forms[k]].format(who=who[k], his=persons[k].his, possessive=f"{who[k]}'s") for k in range(n)]
        if joined:  # up to three clauses in a sentence
            sentences, k = [], 0
            while k < n:
                size = local.randint(1, 3)
                sentences.append(listed(clauses[k : k + size]) if size < 3 else "; ".join(clauses[k : k + size]))
                k += size
            return lay_out(local, [sentence + "." for sentence in sentences], title)
        return lay_out(local, with_asides(local, [clause + "." for clause in clauses], 1), title)

    states = both(render, cases, rng)
    many = s.noun[1]
    changed = [given[i], other[i]]
    label = rng.choice(changed)
    count = tuple(case.count(label) for case in cases)
    kind = TEXTS["kinds"][0 if rng.random() < 0.5 else 1].format(label=label)
    # The options are numbers near the right ones, in words or digits.
    near = range(max(0, min(count) - 2), min(n, max(count) + 2) + 1)
    style = rng.choice([words, str])
    values = {"many": many, "kind": kind, "label": label, "Label": cap(label)}
    how_many = formatted(TEXTS["how_many"], **values)
    questions = [pick(rng, how_many, (style(count[0]), style(count[1])), [style(k) for k in near], most=6)]
    point = min(count)
    values |= {"point": words(point), "next": words(point + 1)}
    more_than, at_most = formatted(TEXTS["more_than"], **values), formatted(TEXTS["at_most"], **values)
    if point == 1:  # 'more than one guests' would be wrong
        more_than[0] = TEXTS["more_than_one"].format(**values)
    if point == 0:
        at_most[0] = TEXTS["not_one"].format(**values)
    questions.append(polar(rng, (count[0] > point, count[1] > point), more_than, at_most))
    if rng.random() < 0.6:
        questions.append(pick(rng, formatted(TEXTS["ask_member"], who=who[i]), (cases[0][i], cases[1][i]), labels, most=3, fixed=True))
    largest = []
    for case in cases:
        counts = sorted(((case.count(label), label) for label in labels), reverse=True)
        largest.append("a tie" if counts[0][0] == counts[1][0] else counts[0][1])
    if rng.random() < 0.7 and largest[0] != largest[1]:
        questions.append(
            pick(rng, formatted(TEXTS["ask_largest"], many=many), (largest[0], largest[1]), [*labels, "a tie"], most=4, fixed=True)
        )
    before, after = changed
    compare = tuple((case.count(before) > case.count(after)) - (case.count(before) < case.count(after)) + 1 for case in cases)
    if compare[0] != compare[1] and rng.random() < 0.6:
        questions.append(score(f'Compared with "{after}", "{before}" has', [f"fewer {many}", f"as many {many}", f"more {many}"], compare))
    return Twin(states, questions)
