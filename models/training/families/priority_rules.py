"""Teaches which of several rules wins: first match, last match, stated rank, or the more particular; and who is served first in a queue with ranks and times."""

import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .layouts import lay_out, table
from .people import CITIES, DEPARTMENTS, people
from .shapes import formatted
from .text_files import load_texts
from .times import clock
from .twin import State, Twin, score
from .wording import a, cap, ordinal_words, words

TEXTS = load_texts("priority_rules")


@dataclass(frozen=True)
class Setting:
    """noun: what is routed. tests: condition as in a rule -> (statement that it holds, statement that it does not). targets: where a rule may send it."""

    title: str
    noun: str
    tests: dict[str, tuple[str, str]]
    targets: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def routing(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    n = rng.randint(2, 4)
    conditions, targets = rng.sample(list(s.tests), n), rng.sample(s.targets, n + 1)
    default = targets[-1]
    scheme = rng.choice(["first", "last", "ranked"])
    ranks = rng.sample(range(1, 10), n)  # for 'ranked': the lowest or highest number wins
    low_wins = rng.random() < 0.5

    def winner(case: tuple[list[bool], str]) -> int | None:
        """The rule that decides, or None where no rule fits."""
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
        if scheme != "ranked" and sum(held) > 1 and rng.random() < 0.6:  # what differs is the scheme itself
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
        text = (
            f"{head}\n{body}"
            if shape == 1
            else f"{body}\n{head}"
            if shape == 2
            else " ".join([head, *(line + "." for line in numbered), otherwise])
        )
        return f"{told}\n{text}" if facts_first else f"{text}\n{told}"

    states = both(render, cases, rng)
    won = (winner(cases[0]), winner(cases[1]))
    outcome = tuple(default if w is None else targets[w] for w in won)
    truth_of = rng.choice(outcome)
    questions = [
        pick(
            rng,
            [
                f"Where does the {s.noun} go?" if s.title != "Firewall" else "What is done with the packet?",
                f"Outcome for the {s.noun}:",
                "What do the rules say in the end?",
                f"Decide on the {s.noun}.",
            ],
            outcome,
            targets,
            most=5,
        )
    ]
    other = rng.choice([t for t in outcome if t != truth_of])
    questions.append(
        polar(
            rng,
            (outcome[0] == truth_of, outcome[1] == truth_of),
            [f.format(t=truth_of, n=s.noun) for f in TEXTS["goes"]],
            [
                f'The rules do not, in the end, say "{truth_of}".',
                f'Is it something other than "{truth_of}" that comes out?',
                *(f.format(t=other, n=s.noun) for f in TEXTS["goes"]),
            ],
        )
    )
    fits = tuple(sum(case[0]) for case in cases)
    if fits[0] != fits[1] and rng.random() < 0.6:
        questions.append(
            pick(
                rng,
                formatted(TEXTS["how_many_fit"], noun=s.noun),
                (words(fits[0]), words(fits[1])),
                [words(k) for k in range(n + 1)],
                most=5,
                fixed=True,
            )
        )
    elif fits[0] == fits[1]:
        up = tuple(case[1] == "first" for case in cases)
        questions.append(polar(rng, up, TEXTS["upper_wins"], TEXTS["lower_wins"]))
    return Twin(states, questions)


def queue(rng: random.Random) -> Twin:
    n = rng.randint(3, 5)
    names, classes = [p.name for p in people(rng, n)], rng.choice(TEXTS["classes"])
    start = rng.randrange(420, 900, 5)
    times = [start + 5 * k for k in rng.sample(range(24), n)]
    levels = [rng.randrange(3) for _ in range(n)]
    by_class = rng.random() < 0.75

    def order_of(case: tuple[list[int], list[int], bool]) -> list[int]:
        level, time, ranked = case
        return sorted(range(n), key=lambda k: (level[k] if ranked else 0, time[k]))

    base = (levels, times, by_class)
    while True:
        what, i, j = rng.choice(["class", "time", "scheme"]), *rng.sample(range(n), 2)
        if what == "class":
            new = ([rng.randrange(3) if k == i else v for k, v in enumerate(levels)], times, by_class)
        elif what == "time":
            new = (levels, [times[i] + rng.choice([-90, -60, -45, 45, 60, 90]) + 1 if k == i else v for k, v in enumerate(times)], by_class)
        else:
            new = (levels, times, not by_class)
        if order_of(base)[0] != order_of(new)[0] or (rng.random() < 0.02 and order_of(base) != order_of(new)):
            break
        levels = [rng.randrange(3) for _ in range(n)]
        base = (levels, times, by_class)
    cases = [base, new] if rng.random() < 0.5 else [new, base]
    head, tell_order, tabled = rng.randrange(4), rng.sample(range(n), n), rng.random() < 0.25
    tell = rng.choice(TEXTS["arrivals"])
    title = rng.choice(
        [None, f"Ward in {rng.choice(CITIES)}", "Hotline", "Repair shop", f"{rng.choice(DEPARTMENTS)} queue", "Counter", "Ticket board"]
    )

    def render(case: tuple[list[int], list[int], bool], local: random.Random) -> State:
        level, time, ranked = case
        rule = (TEXTS["queue_head"] if ranked else TEXTS["time_head"])[head].format(
            Red=cap(classes[0]), red=classes[0], amber=classes[1], green=classes[2]
        )
        if tabled:
            return f"{rule}\n{table(['name', 'class', 'arrived'], [[names[k], classes[level[k]], f'{time[k] // 60:02d}:{time[k] % 60:02d}'] for k in tell_order])}"
        lines = [cap(tell.format(who=names[k], c=classes[level[k]], t=clock(local, time[k]))) for k in tell_order]
        return lay_out(local, [rule, *lines] if local.random() < 0.7 else [*lines, rule], title)

    states = both(render, cases, rng)
    orders = [order_of(case) for case in cases]
    firsts = tuple(names[o[0]] for o in orders)
    questions = []
    if firsts[0] != firsts[1]:
        questions.append(pick(rng, TEXTS["who_first"], firsts, names, most=5))
    pairs = [
        (p, q)
        for p in range(n)
        for q in range(n)
        if p < q and (orders[0].index(p) < orders[0].index(q)) != (orders[1].index(p) < orders[1].index(q))
    ]
    p, q = rng.choice(pairs)
    x, y = names[p], names[q]
    questions.append(
        polar(
            rng, tuple(o.index(p) < o.index(q) for o in orders), formatted(TEXTS["before"], x=x, y=y), formatted(TEXTS["after"], y=y, x=x)
        )
    )
    if rng.random() < 0.5:
        questions.append(
            pick(rng, TEXTS["who_last"], tuple(names[o[-1]] for o in orders), names, most=5, fixed=True)
            if orders[0][-1] != orders[1][-1]
            else score(
                f"Place of {x} in the order of service", [ordinal_words(k) for k in range(1, n + 1)], tuple(o.index(p) for o in orders)
            )
        )
    if rng.random() < 0.4:
        ahead = tuple(o.index(q) for o in orders)
        if ahead[0] != ahead[1]:
            questions.append(
                pick(
                    rng,
                    formatted(TEXTS["how_many_before"], y=y),
                    (words(ahead[0]), words(ahead[1])),
                    [words(k) for k in range(n)],
                    most=5,
                    fixed=True,
                )
            )
    return Twin(states, questions)


def twin(rng: random.Random) -> Twin:
    return routing(rng) if rng.random() < 0.55 else queue(rng)
