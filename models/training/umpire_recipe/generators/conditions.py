"""Teaches rules with conditions (if, only if, unless, at least two of), with the facts told in other words."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from .parts.asking import both, pick, polar, without_repeats
from .parts.layouts import lay_out
from .parts.people import Person, people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import Twin
from .parts.wording import cap, listed, words

TEXTS = load_texts("conditions")


@dataclass(frozen=True)
class Test:
    """A condition as the rule words it ('has a valid ticket'), and ways to say that it holds or does not hold for {who}."""

    rule: str
    yes: tuple[str, ...]
    no: tuple[str, ...]


@dataclass(frozen=True)
class Setting:
    """who: the kind of person the rule is about. result: what the rule allows, as 'enter the lab'."""

    who: str
    result: str
    tests: list[Test]


SETTINGS = {title: Setting(row["who"], row["result"], [Test(**test) for test in row["tests"]]) for title, row in TEXTS["settings"].items()}
# When each kind of rule is met, given which of its tests hold.
MEETS: dict[str, Callable[[list[bool]], bool]] = {
    "all": all,
    "any": any,
    "two": lambda held: sum(held) >= 2,
    "first_and": lambda held: held[0] and any(held[1:]),
    "first_or": lambda held: held[0] or all(held[1:]),
}


def twin(rng: random.Random) -> Twin:
    title = rng.choice(list(SETTINGS))
    s, kind = SETTINGS[title], rng.choice(list(MEETS))
    meets = MEETS[kind]
    tests = rng.sample(s.tests, rng.choice([2, 3]) if kind in ("all", "any") else rng.choice([3, 3, 4]) if kind == "two" else 3)
    n, (who, rival) = len(tests), people(rng, 2)
    # One fact changes, and with it the outcome.
    while True:
        held, i = [rng.random() < 0.5 for _ in tests], rng.randrange(n)
        other = [flag != (k == i) for k, flag in enumerate(held)]
        if meets(held) != meets(other):
            break
    rules = [t.rule for t in tests]
    either = {"and": listed(rules), "or": listed(rules, "or"), "rest_and": listed(rules[1:]), "rest_or": listed(rules[1:], "or")}
    rule = rng.choice(TEXTS["rules"][kind]).format(k=s.who, r=s.result, t0=rules[0], **either)
    for noun in ("agent", "applicant"):
        rule = rule.replace(f"A {noun}", f"An {noun}").replace(f"a {noun}", f"an {noun}")
    rival_held = [rng.random() < 0.6 for _ in tests]
    has_rival, choices = rng.random() < 0.5, [rng.random() for _ in range(2 * n)]
    order = rng.sample(range(n), n)

    def tell(person: Person, flags: list[bool], offset: int) -> list[str]:
        lines = []
        for k in order:
            forms = tests[k].yes if flags[k] else tests[k].no
            form = forms[int(choices[k + offset] * len(forms))]
            lines.append(cap(form.format(who=person.name, whose=f"{person.name}'s", whose_own=person.his)) + ".")
        return lines

    def render(flags: list[bool], local: random.Random) -> object:
        lines = tell(who, flags, 0)
        if has_rival:
            more = tell(rival, rival_held, n)
            lines = lines + more if local.random() < 0.5 else more + lines
        return lay_out(local, [rule, *lines] if local.random() < 0.75 else [*lines, rule], title if local.random() < 0.6 else None)

    states = both(render, (held, other), rng)
    truth = (meets(held), meets(other))
    may = formatted(TEXTS["may"], who=who.name, r=s.result)
    may_not = formatted(TEXTS["may_not"], who=who.name, r=s.result)
    questions = [polar(rng, truth, may, may_not, formatted(TEXTS["may_meaning"], who=who.name, result=s.result))]
    if rng.random() < 0.5:
        clause = tests[i].rule
        values = {"who": who.name, "kind": s.who, "clause": clause, "Clause": cap(clause)}
        holds, fails = formatted(TEXTS["point_holds"], **values), formatted(TEXTS["point_fails"], **values)
        questions.append(polar(rng, (held[i], other[i]), holds, fails))
    if rng.random() < 0.6:
        how_many, counts = formatted(TEXTS["how_many_points"], who=who.name), [words(k) for k in range(n + 1)]
        questions.append(pick(rng, how_many, (words(sum(held)), words(sum(other))), counts, most=5, fixed=True))
    if has_rival and rng.random() < 0.8:
        ok = meets(rival_held)
        labels = {(True, True): "both", (True, False): who.name, (False, True): rival.name, (False, False): "neither"}
        who_may = formatted(TEXTS["who_may"], result=s.result, rival=rival.name, who=who.name)
        right = (labels[truth[0], ok], labels[truth[1], ok])
        questions.append(pick(rng, who_may, right, list(labels.values()), most=4, fixed=True))

    if kind == "all" and rng.random() < 0.6:  # at least one point fails in one state, none in the other
        unmet = [f'"{test.rule}" is not fulfilled' for test in tests]
        right = tuple("nothing: the rule is met" if met else unmet[i] for met in truth)
        questions.append(pick(rng, formatted(TEXTS["which_point"], who=who.name), right, unmet, most=5, fixed=True))
    if len(questions) == 1:
        questions.append(polar(rng, truth, may, may_not))
    return Twin(states, without_repeats(questions))
