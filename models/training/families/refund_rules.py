"""Teaches refund and cancellation rules in steps: full, part, credit or nothing by time and state, with the amount worked out."""

import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .layouts import lay_out
from .people import firms, people
from .shapes import formatted
from .text_files import load_texts
from .twin import State, Twin, score
from .wording import CURRENCIES, cap, money, words

TEXTS = load_texts("refund_rules")


@dataclass(frozen=True)
class Setting:
    """unit of time ('day', 'days'); count says how time is counted: 'before' the event or 'after' the purchase. blocked: what rules a refund out; override: what brings the full sum whatever the time."""

    titles: tuple[str, ...]
    what: str
    unit: tuple[str, str]
    after: bool
    act: tuple[str, ...]
    blocked: str
    blocked_facts: tuple[tuple[str, str], ...]
    override: str
    override_facts: tuple[tuple[str, str], ...]


# act takes {who}, {t} (such as 'three days') and {price}
SETTINGS = [Setting(**row) for row in TEXTS["settings"]]
SHARES = {
    50: ("half of the price", "50 percent", "one half"),
    25: ("a quarter of the price", "25 percent", "one quarter"),
    75: ("three quarters of the price", "75 percent", "75 per cent of the price"),
    80: ("80 percent", "four fifths of the price", "80 per cent of the price"),
    40: ("40 percent", "two fifths of the price", "40 per cent of the price"),
}


def twin(rng: random.Random) -> Twin:
    s, currency = rng.choice(SETTINGS), rng.choice(CURRENCIES)
    who, rival = (p.name for p in people(rng, 2))
    step = {"day": 1, "week": 1, "hour": 2}[s.unit[0]]
    short = rng.randint(2, 8) * step
    long = short + rng.randint(2, 12) * step
    share, price = rng.choice(list(SHARES)), rng.randrange(20, 401, 20)
    special = rng.choice([None, None, "block", "override"])

    def percent(case: tuple[int, bool]) -> int:
        time, flag = case
        if special and flag:
            return 0 if special == "block" else 100
        in_first, in_second = (time <= short, time <= long) if s.after else (time >= long, time >= short)
        return 100 if in_first else share if in_second else 0

    times = [
        t for edge in (short, long) for t in (edge, edge - step, edge + step, edge + 2 * step, edge - 2 * step, edge + 4 * step) if t > 0
    ]
    while True:
        flag = rng.random() < 0.3
        base = (rng.choice(times), flag)
        new = (base[0], not flag) if special and rng.random() < 0.6 else (rng.choice(times), flag)
        if percent(base) != percent(new):
            break
    cases = [base, new]
    rng.shuffle(cases)
    tiers, extra, act, fact = (
        rng.choice(TEXTS["after"] if s.after else TEXTS["before"]),
        rng.choice(TEXTS["block"] if special == "block" else TEXTS["override"]),
        rng.choice(s.act),
        rng.choice(s.blocked_facts if special == "block" else s.override_facts),
    )
    share_form, rival_line = rng.choice(SHARES[share]), rng.random() < 0.35
    rival_case = (rng.choice(times), rng.randrange(20, 401, 20), rng.choice(s.act))
    title = rng.choice([None, *s.titles, f"{firms(rng, 1)[0]}: terms"])

    def render(case: tuple[int, bool], local: random.Random) -> State:
        def span(n):
            return f"{words(n) if local.random() < 0.5 else n} {s.unit[n != 1]}"

        rules = [tiers.format(short=span(short), long=span(long), share=share_form)]
        told = cap(act.format(who=who, t=span(case[0]), price=money(local, price, currency)))
        if special:
            rules.append(extra.format(c=s.blocked if special == "block" else s.override))
            told += " " + cap(fact[not case[1]].format(who=who)) + "."
        lines = [told] + (
            [cap(rival_case[2].format(who=rival, t=span(rival_case[0]), price=money(local, rival_case[1], currency)))] if rival_line else []
        )
        local.shuffle(lines)
        opener = f"Terms for {s.what}:" if not title and local.random() < 0.5 else ""
        rules[0] = f"{opener} {rules[0][0].lower() + rules[0][1:]}" if opener else rules[0]
        return lay_out(local, [*rules, *lines] if local.random() < 0.75 else [*lines, *rules], title)

    states = both(render, cases, rng)
    shares = (percent(cases[0]), percent(cases[1]))

    def fill(forms):
        return [f.format(who=who) for f in forms]

    questions = []
    if (shares[0] > 0) != (shares[1] > 0):
        questions.append(polar(rng, (shares[0] > 0, shares[1] > 0), fill(TEXTS["gets"]), fill(TEXTS["gets_not"]), TEXTS["gets_meaning"]))
    if (shares[0] == 100) != (shares[1] == 100):
        questions.append(
            polar(rng, (shares[0] == 100, shares[1] == 100), fill(TEXTS["full"]), fill(TEXTS["full_not"]), TEXTS["full_meaning"])
        )
    names = {100: "full", share: "partial", 0: "none"}
    meaning = TEXTS["refunds"]
    if rng.random() < 0.6:
        questions.append(described(rng, formatted(TEXTS["ask_refund"], who=who), meaning, (names[shares[0]], names[shares[1]])))

    def show(part):
        return f"{currency}{price * part // 100}"

    if rng.random() < 0.7 or len(questions) < 2:
        tempting = [
            show(0),
            show(100),
            show(share),
            show(100 - share),
            f"{currency}{rival_case[1]}" if rival_line else show(share // 2),
            f"{currency}{price + 20}",
        ]
        questions.append(pick(rng, formatted(TEXTS["ask_amount"], who=who), (show(shares[0]), show(shares[1])), tempting, most=6))
    if rng.random() < 0.35:
        questions.append(
            score(
                rng.choice(formatted(TEXTS["ask_level"], who=who)),
                TEXTS["levels"],
                tuple(3 if p == 100 else 0 if p == 0 else 1 if p < 50 else 2 for p in shares),
            )
        )
    if special and cases[0][1] != cases[1][1] and rng.random() < 0.4:
        clause = s.blocked if special == "block" else s.override
        questions.append(
            polar(
                rng,
                (cases[0][1], cases[1][1]),
                formatted(TEXTS["clause_holds"], who=who, clause=clause),
                formatted(TEXTS["clause_fails"], who=who, clause=clause),
            )
        )
    return Twin(states, questions)
