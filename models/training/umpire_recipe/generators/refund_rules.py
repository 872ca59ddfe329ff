"""Teaches refund rules in steps: all, part or nothing of the price by the time, with exceptions and the amount worked out."""

import random
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.layouts import lay_out
from .parts.people import firms, people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score
from .parts.wording import CURRENCIES, cap, money, words

TEXTS = load_texts("refund_rules")


@dataclass(frozen=True)
class Setting:
    """what: what was bought. unit: of time, in singular and plural. after: time counts from the purchase, not back from the event.

    act: {who} paid {price} and cancelled at the time {t}. blocked: a condition that rules a refund out. override: one that brings the
    full price back. blocked_facts, override_facts: pairs of ways to say that it holds and that it does not.
    """

    titles: tuple[str, ...]
    what: str
    unit: tuple[str, str]
    after: bool
    act: tuple[str, ...]
    blocked: str
    blocked_facts: tuple[tuple[str, str], ...]
    override: str
    override_facts: tuple[tuple[str, str], ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]
SHARES = {int(percent): forms for percent, forms in TEXTS["shares"].items()}


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

    times = [t for edge in (short, long) for steps in (0, -1, 1, 2, -2, 4) if (t := edge + steps * step) > 0]
    while True:
        flag = rng.random() < 0.3
        base = (rng.choice(times), flag)
        new = (base[0], not flag) if special and rng.random() < 0.6 else (rng.choice(times), flag)
        if percent(base) != percent(new):
            break
    cases = [base, new]
    rng.shuffle(cases)
    clause, clause_facts = (s.blocked, s.blocked_facts) if special == "block" else (s.override, s.override_facts)
    tiers, extra = rng.choice(TEXTS["after" if s.after else "before"]), rng.choice(TEXTS["block" if special == "block" else "override"])
    act, fact = rng.choice(s.act), rng.choice(clause_facts)
    share_form, rival_line = rng.choice(SHARES[share]), rng.random() < 0.35
    rival_time, rival_price, rival_act = rng.choice(times), rng.randrange(20, 401, 20), rng.choice(s.act)
    title = rng.choice([None, *s.titles, f"{firms(rng, 1)[0]}: terms"])

    def render(case: tuple[int, bool], local: random.Random) -> State:
        def span(n: int) -> str:
            return f"{words(n) if local.random() < 0.5 else n} {s.unit[n != 1]}"

        rules = [tiers.format(short=span(short), long=span(long), share=share_form)]
        told = cap(act.format(who=who, t=span(case[0]), price=money(local, price, currency)))
        if special:
            rules.append(extra.format(c=clause))
            told += " " + cap(fact[not case[1]].format(who=who)) + "."
        lines = [told]
        if rival_line:
            lines.append(cap(rival_act.format(who=rival, t=span(rival_time), price=money(local, rival_price, currency))))
        local.shuffle(lines)
        opener = f"Terms for {s.what}:" if not title and local.random() < 0.5 else ""
        rules[0] = f"{opener} {rules[0][0].lower() + rules[0][1:]}" if opener else rules[0]
        return lay_out(local, [*rules, *lines] if local.random() < 0.75 else [*lines, *rules], title)

    states = both(render, cases, rng)
    shares = (percent(cases[0]), percent(cases[1]))

    questions = []
    if (shares[0] > 0) != (shares[1] > 0):
        gets, gets_not = formatted(TEXTS["gets"], who=who), formatted(TEXTS["gets_not"], who=who)
        questions.append(polar(rng, (shares[0] > 0, shares[1] > 0), gets, gets_not, TEXTS["gets_meaning"]))
    if (shares[0] == 100) != (shares[1] == 100):
        full, full_not = formatted(TEXTS["full"], who=who), formatted(TEXTS["full_not"], who=who)
        questions.append(polar(rng, (shares[0] == 100, shares[1] == 100), full, full_not, TEXTS["full_meaning"]))
    names = {100: "full", share: "partial", 0: "none"}
    if rng.random() < 0.6:
        questions.append(described(rng, formatted(TEXTS["ask_refund"], who=who), TEXTS["refunds"], (names[shares[0]], names[shares[1]])))

    def show(percent: int) -> str:
        return f"{currency}{price * percent // 100}"

    if rng.random() < 0.7 or len(questions) < 2:
        tempting = [show(0), show(100), show(share), show(100 - share)]
        tempting += [f"{currency}{rival_price}" if rival_line else show(share // 2), f"{currency}{price + 20}"]
        questions.append(pick(rng, formatted(TEXTS["ask_amount"], who=who), (show(shares[0]), show(shares[1])), tempting, most=6))
    if rng.random() < 0.35:
        levels = tuple(3 if p == 100 else 0 if p == 0 else 1 if p < 50 else 2 for p in shares)
        questions.append(score(rng.choice(formatted(TEXTS["ask_level"], who=who)), TEXTS["levels"], levels))
    if special and cases[0][1] != cases[1][1] and rng.random() < 0.4:
        holds, fails = formatted(TEXTS["clause_holds"], who=who, clause=clause), formatted(TEXTS["clause_fails"], who=who, clause=clause)
        questions.append(polar(rng, (cases[0][1], cases[1][1]), holds, fails))
    return Twin(states, questions)
