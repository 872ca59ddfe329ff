"""Teaches which of several rules wins (first match, last match or rank), and who is served first in a queue."""

import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar
from .parts.service_order import queue
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import State, Twin
from .parts.wording import a, cap, words

TEXTS = load_texts("priority_rules")


@dataclass(frozen=True)
class Setting:
    """noun: what is routed. tests: condition -> statements that it holds and that it does not. targets: where a rule may send it."""

    title: str
    noun: str
    tests: dict[str, tuple[str, str]]
    targets: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def routing(rng: random.Random) -> Twin:
    """Rules that send something somewhere. One condition changes, or whether the first or the last match wins."""
    s = rng.choice(SETTINGS)
    n = rng.randint(2, 4)
    conditions, targets = rng.sample(list(s.tests), n), rng.sample(s.targets, n + 1)
    default = targets[-1]
    scheme = rng.choice(["first", "last", "ranked"])
    ranks = rng.sample(range(1, 10), n)  # with 'ranked', the lowest or highest number wins
    low_wins = rng.random() < 0.5

    def winner(case: tuple[list[bool], str]) -> int | None:
        """The rule that decides, or None if none matches."""
        held, how = case
        fits = [k for k in range(n) if held[k]]
        if not fits:
            return None
        if how == "first":
            return fits[0]
        if how == "last":
            return fits[-1]
        return (min if low_wins else max)(fits, key=lambda k: ranks[k])

    while True:
        held = [rng.random() < 0.65 for _ in range(n)]
        if scheme != "ranked" and sum(held) > 1 and rng.random() < 0.6:  # the states differ in the scheme
            cases = [(held, "first"), (held, "last")]
        else:
            i = rng.randrange(n)
            cases = [(held, scheme), ([flag != (k == i) for k, flag in enumerate(held)], scheme)]
        if winner(cases[0]) != winner(cases[1]):
            break
    rng.shuffle(cases)
    form, scheme_form, order = rng.choice(TEXTS["rule"]), rng.randrange(6), rng.sample(range(n), n)
    opener, otherwise = rng.choice(TEXTS["openers"]).format(a=a(s.noun)), rng.choice(TEXTS["otherwise"]).format(t=default)
    rank_form = rng.choice(TEXTS["ranked"]).format(w="lowest" if low_wins else "highest")
    facts_first = rng.random() < 0.2

    def render(case: tuple[list[bool], str], local: random.Random) -> State:
        held, how = case
        lines = [form.format(c=conditions[k], t=targets[k]) for k in range(n)]
        numbered = [f"Rule {ranks[k] if how == 'ranked' else k + 1}: {lines[k]}" for k in range(n)]
        head = {"first": TEXTS["first"][scheme_form], "last": TEXTS["last"][scheme_form], "ranked": rank_form}[how]
        facts = [cap(s.tests[conditions[k]][not held[k]]) + "." for k in order]
        body = "\n".join([*numbered, otherwise])
        told = " ".join([opener, *facts])
        shape = local.randrange(4)
        if shape == 0:
            return {"rules": [*numbered, otherwise], "how": head, s.noun: " ".join(facts)}
        if shape == 1:
            text = f"{head}\n{body}"
        elif shape == 2:
            text = f"{body}\n{head}"
        else:
            text = " ".join([head, *(line + "." for line in numbered), otherwise])
        return f"{told}\n{text}" if facts_first else f"{text}\n{told}"

    states = both(render, cases, rng)
    won = (winner(cases[0]), winner(cases[1]))
    outcome = tuple(default if w is None else targets[w] for w in won)
    truth_of = rng.choice(outcome)
    ask_outcome = formatted(TEXTS["ask_outcome"], noun=s.noun)
    if s.title == "Firewall":
        ask_outcome[0] = TEXTS["ask_firewall"]
    questions = [pick(rng, ask_outcome, outcome, targets, most=5)]
    other = rng.choice([t for t in outcome if t != truth_of])
    goes, goes_elsewhere = (formatted(TEXTS["goes"], t=target, n=s.noun) for target in (truth_of, other))
    goes_elsewhere = [*formatted(TEXTS["goes_elsewhere"], t=truth_of), *goes_elsewhere]
    questions.append(polar(rng, (outcome[0] == truth_of, outcome[1] == truth_of), goes, goes_elsewhere))
    fits = tuple(sum(case[0]) for case in cases)
    if fits[0] != fits[1] and rng.random() < 0.6:
        how_many, counts = formatted(TEXTS["how_many_fit"], noun=s.noun), [words(k) for k in range(n + 1)]
        questions.append(pick(rng, how_many, (words(fits[0]), words(fits[1])), counts, most=5, fixed=True))
    elif fits[0] == fits[1]:
        up = tuple(case[1] == "first" for case in cases)
        questions.append(polar(rng, up, TEXTS["upper_wins"], TEXTS["lower_wins"]))
    return Twin(states, questions)


def twin(rng: random.Random) -> Twin:
    return routing(rng) if rng.random() < 0.55 else queue(rng)
