"""Teaches negations of negations: 'did not forget to', 'nobody denies that', 'the rejection of the ban was overturned'."""

import random

from .parts.asking import both, described, pick, polar
from .parts.layouts import lay_out, with_asides
from .parts.people import CITIES, DEPARTMENTS, JOBS, people, words_of
from .parts.shapes import filled, formatted
from .parts.text_files import load_texts
from .parts.twin import Twin
from .parts.wording import cap

TEXTS = load_texts("double_negation")


def person_twin(rng: random.Random) -> Twin:
    """Some people and their jobs. Even forms say that a job was done, odd forms that it was not."""
    n = rng.randint(2, 4)
    persons, jobs = people(rng, n), rng.sample(JOBS, n)
    facts = [rng.random() < 0.5 for _ in range(n)]
    first = rng.random() < 0.5
    forms, order = [rng.random() for _ in range(n)], rng.sample(range(n), n)
    title = rng.choice(TEXTS["titles"])

    def render(done: bool, local: random.Random) -> object:
        now = [done, *facts[1:]]
        pools = [TEXTS["even"] if flag else TEXTS["odd"] for flag in now]
        return lay_out(local, [pools[i][int(forms[i] * len(pools[i]))].format(**words_of(jobs[i], persons[i])) for i in order], title)

    states = both(render, (first, not first), rng)
    w = words_of(jobs[0], persons[0])
    w |= {"Was": cap(w["was"]), "Has": cap(w["has"])}

    truth = (first, not first)
    meaning = (f"{w['who']} {w['past']}", f"{w['who']} did not {w['base']}")
    questions = [polar(rng, truth, filled(TEXTS["ask_done"], **w), filled(TEXTS["ask_not"], **w), meaning)]
    i = rng.randrange(1, n)
    labels = {
        (True, True): "both",
        (True, False): f"only {persons[0].name}",
        (False, True): f"only {persons[i].name}",
        (False, False): "neither",
    }
    who_did = formatted(TEXTS["who_did"], x=persons[0].name, y=persons[i].name)
    right = (labels[first, facts[i]], labels[not first, facts[i]])
    questions.append(pick(rng, who_did, right, list(labels.values()), most=4, fixed=True, opaque=0.15))
    if rng.random() < 0.5:
        total = (first + sum(facts[1:]), (not first) + sum(facts[1:]))
        counts = [str(k) for k in range(n + 1)]
        questions.append(pick(rng, TEXTS["how_many_done"], (str(total[0]), str(total[1])), counts, most=5, fixed=True))
    if rng.random() < 0.4:
        questions.append(polar(rng, truth, filled(TEXTS["done_indirectly"], **w), filled(TEXTS["not_done_indirectly"], **w)))
    return Twin(states, questions)


def rule_twin(rng: random.Random) -> Twin:
    """A ban and one or two later decisions, each of which reverses the outcome or leaves it."""
    (thing, be), (body, body2) = rng.choice(TEXTS["things"]), rng.sample(TEXTS["bodies"], 2)
    ban, chain = rng.choice(TEXTS["bans"]), rng.random() < 0.5
    one, two = rng.choice(TEXTS["next_one"]), rng.choice(TEXTS["next_two"])
    months = rng.choice([("March", "June"), ("May", "October"), ("January", "April"), ("July", "December")])
    if chain and rng.random() < 0.5:
        other = (one, rng.choice([step for step in TEXTS["next_two"] if step[1] != two[1]]))
    else:
        other = (rng.choice([step for step in TEXTS["next_one"] if step[1] != one[1]]), two)
    cases = [(one, two), other]
    rng.shuffle(cases)
    year, city, title = rng.randint(2019, 2025), rng.choice(CITIES), rng.choice(TEXTS["rule_titles"])
    aside = rng.choice(formatted(TEXTS["asides"], department=rng.choice(DEPARTMENTS), city=city))

    def render(case: tuple, local: random.Random) -> object:
        told = [
            ban.format(body=body, thing=thing) + f" in {year}.",
            case[0][0].format(later=f"in {months[0]} {year + 1}", body2=body2) + ".",
        ]
        if chain:
            told.append(case[1][0].format(month=f"{months[1]} {year + 1}") + ".")
        if aside:
            told.append(aside)
        return lay_out(local, with_asides(local, told, 1), title)

    allowed = tuple(bool((c[0][1] + (c[1][1] if chain else 0)) % 2) for c in cases)
    states = both(render, cases, rng)

    values = {"thing": thing, "Thing": cap(thing), "be": be, "Be": cap(be), "was": "were" if be == "are" else "was"}
    yes, no = formatted(TEXTS["allowed"], **values), formatted(TEXTS["banned"], **values)
    questions = [polar(rng, allowed, yes, no, TEXTS["ban_meaning"])]
    names = tuple("allowed" if x else "forbidden" for x in allowed)
    questions.append(described(rng, formatted(TEXTS["ask_ban"], **values), TEXTS["ban_states"], names))
    if chain and rng.random() < 0.7:
        middle = tuple(c[0][1] for c in cases)
        if middle[0] != middle[1]:
            yes, no = formatted(TEXTS["allowed_between"], **values), formatted(TEXTS["banned_between"], **values)
            questions.append(polar(rng, middle, yes, no))
    if rng.random() < 0.5:
        questions.append(polar(rng, allowed, formatted(TEXTS["wrong_to_forbid"], **values), formatted(TEXTS["wrong_to_allow"], **values)))
    return Twin(states, questions)


def twin(rng: random.Random) -> Twin:
    return person_twin(rng) if rng.random() < 0.55 else rule_twin(rng)
