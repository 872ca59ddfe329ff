"""Teaches parity of negations: 'did not forget to', 'nobody denies that', 'the rejection of the ban was overturned', counted out by code."""

import random

from .asking import both, described, pick, polar
from .layouts import lay_out, with_asides
from .people import CITIES, DEPARTMENTS, JOBS, people
from .promised_or_done import words_of
from .shapes import formatted
from .text_files import load_texts
from .twin import Twin
from .wording import cap

TEXTS = load_texts("double_negation")
# One person and one job. By the number of turns from 'it was done': even forms say it was done, odd forms that it was not.


# A chain of decisions on one rule: each step turns the outcome or leaves it.


# (text, turns): what happened next to the ban


def person_twin(rng: random.Random) -> Twin:
    n = rng.randint(2, 4)
    persons, jobs = people(rng, n), rng.sample(JOBS, n)
    facts = [rng.random() < 0.5 for _ in range(n)]
    first = rng.random() < 0.5
    forms, order = [rng.random() for _ in range(n)], rng.sample(range(n), n)
    title = rng.choice([None, "Inspection", "Camp diary", "Office round", "Ward round", "Warehouse check", "Release notes", "Club minutes"])

    def render(done: bool, local: random.Random) -> object:
        now = [done, *facts[1:]]
        pools = [TEXTS["even"] if flag else TEXTS["odd"] for flag in now]
        return lay_out(local, [pools[i][int(forms[i] * len(pools[i]))].format(**words_of(jobs[i], persons[i])) for i in order], title)

    states = both(render, (first, not first), rng)
    w = words_of(jobs[0], persons[0])
    w |= {"Was": cap(w["was"]), "Has": cap(w["has"])}

    def fill(forms_):
        return [cap(f.format(**w)) for f in forms_]

    truth = (first, not first)
    questions = [
        polar(rng, truth, fill(TEXTS["ask_done"]), fill(TEXTS["ask_not"]), (f"{w['who']} {w['past']}", f"{w['who']} did not {w['base']}"))
    ]
    i = rng.randrange(1, n)
    labels = {
        (True, True): "both",
        (True, False): f"only {persons[0].name}",
        (False, True): f"only {persons[i].name}",
        (False, False): "neither",
    }
    questions.append(
        pick(
            rng,
            formatted(TEXTS["who_did"], x=persons[0].name, y=persons[i].name),
            (labels[first, facts[i]], labels[not first, facts[i]]),
            list(labels.values()),
            most=4,
            fixed=True,
            opaque=0.15,
        )
    )
    if rng.random() < 0.5:
        total = (first + sum(facts[1:]), (not first) + sum(facts[1:]))
        questions.append(
            pick(rng, TEXTS["how_many_done"], (str(total[0]), str(total[1])), [str(k) for k in range(n + 1)], most=5, fixed=True)
        )
    if rng.random() < 0.4:
        questions.append(
            polar(
                rng,
                truth,
                fill(
                    f"The text says in a roundabout way that {{who}} {{past}}.|It would be wrong to deny that {{who}} {{past}}.|Is it false that {{who}} did not {{base}}?".split(
                        "|"
                    )
                ),
                fill(
                    "It would be right to deny that {who} {past}.|Is it false that {who} {past}?|It would be untrue that {who} {past}.".split(
                        "|"
                    )
                ),
            )
        )
    return Twin(states, questions)


def rule_twin(rng: random.Random) -> Twin:
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
    year, city, title = (
        rng.randint(2019, 2025),
        rng.choice(CITIES),
        rng.choice([None, "House rules: history", "Notice", "Local news", "Policy changes"]),
    )
    aside = rng.choice(
        [
            f"The {rng.choice(DEPARTMENTS)} office keeps the papers.",
            f"The story was told in the {city} paper.",
            "Many had written in, for and against.",
            f"Fines in {city} are another matter.",
            "Feelings ran high.",
            "",
        ]
    )

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

    def fill(forms):
        return [f.format(thing=thing, Thing=cap(thing), be=be, Be=cap(be)) for f in forms]

    questions = [polar(rng, allowed, fill(TEXTS["allowed"]), fill(TEXTS["banned"]), TEXTS["ban_meaning"])]
    names = tuple("allowed" if x else "forbidden" for x in allowed)
    questions.append(described(rng, formatted(TEXTS["ask_ban"], thing=thing, Thing=cap(thing)), TEXTS["ban_states"], names))
    if chain and rng.random() < 0.7:  # between the two later steps
        middle = tuple(c[0][1] for c in cases)
        if middle[0] != middle[1]:
            questions.append(
                polar(
                    rng,
                    middle,
                    [
                        f"Between the two later dates, {thing} {be} allowed for a time.".replace(
                            f" {be} allowed", f" {'were' if be == 'are' else 'was'} allowed"
                        )
                    ],
                    [f"Between the two later dates, {thing} {'were' if be == 'are' else 'was'} still banned."],
                )
            )
    if rng.random() < 0.5:
        questions.append(polar(rng, allowed, fill(TEXTS["wrong_to_forbid"]), fill(TEXTS["wrong_to_allow"])))
    return Twin(states, questions)


def twin(rng: random.Random) -> Twin:
    return person_twin(rng) if rng.random() < 0.55 else rule_twin(rng)
