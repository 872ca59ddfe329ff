"""Teaches sums of money: totals with prices per head, discounts and fees, against a budget, and what is left."""

import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar
from .parts.layouts import lay_out, table
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score
from .parts.wording import CURRENCIES, CURRENCY_WORDS, cap, money

TEXTS = load_texts("budget_sums")


@dataclass(frozen=True)
class Setting:
    """aim: what the budget is for. lines: items with one price. per: items paid per head. head: a head in singular and plural."""

    aim: str
    lines: tuple[str, ...]
    per: tuple[str, ...]
    head: tuple[str, str]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    s, currency = rng.choice(SETTINGS), rng.choice(CURRENCIES)
    scale = rng.choice([5, 10, 10, 20])
    names = rng.sample(s.lines, rng.randint(2, 4))
    free = names.pop() if len(names) > 2 and rng.random() < 0.5 else ""
    prices = rng.sample(range(2, 40), len(names))
    base = {name: price * scale for name, price in zip(names, prices, strict=True)}
    per, has_per = rng.choice(s.per), rng.random() < 0.6
    base |= {"heads": rng.randint(3, 30), "each": rng.randint(2, 15), "extra": rng.choice([0, 0, 2, 4, 7, -2, -5, -6]) * scale}

    def sum_of(f: dict[str, int]) -> int:
        return sum(f[name] for name in names) + (f["heads"] * f["each"] if has_per else 0) + f["extra"]

    changed = dict(base)
    keys = [*names, *(["heads", "each"] if has_per else []), *(["extra"] if base["extra"] else [])]
    while sum_of(changed) == sum_of(base) or sum_of(changed) < scale:
        changed = dict(base)
        key = rng.choice(keys)
        if key == "extra":
            changed[key] = -base[key]
        elif key in ("heads", "each"):
            changed[key] = max(2, base[key] + rng.choice([-3, -2, -1, 1, 2, 3]))
        else:
            changed[key] = max(scale, base[key] + rng.choice([-6, -4, -3, -2, 2, 3, 4, 6]) * scale)
    if sum_of(base) < scale:
        return twin(rng)
    cases = [base, changed] if rng.random() < 0.5 else [changed, base]
    totals = (sum_of(cases[0]), sum_of(cases[1]))
    # The smaller total is within the budget, the larger one is not.
    budget = rng.choice([min(totals), rng.randrange(min(totals), max(totals)), (sum(totals) // 2)])
    forms = {name: rng.choice(TEXTS["line"]) for name in names}
    forms |= {"budget": rng.choice(TEXTS["budget"]), "per": rng.choice(TEXTS["per"]), "free": rng.choice(TEXTS["not"])}
    extra_form, tabled = rng.randrange(4), rng.random() < 0.2
    order, budget_last, free_price = rng.sample(range(len(names)), len(names)), rng.random() < 0.4, rng.randint(2, 40) * scale
    title = rng.choice([None, "Budget", "Costs", cap(s.aim), "Note for the treasurer"])

    def render(f: dict[str, int], local: random.Random) -> State:
        def told(form: str, x: str = "", amount: int = 0) -> str:
            plural = x.endswith("s")
            verbs = {"cost": "cost", "was": "were", "be": "are"} if plural else {"cost": "costs", "was": "was", "be": "is"}
            sums = {"m": money(local, amount, currency), "b": money(local, budget, currency)}
            heads = {"head": s.head[0], "heads": s.head[1], "n": f["heads"]}
            return cap(form.format(x=x, X=cap(x), aim=s.aim, Aim=cap(s.aim), **sums, **heads, **verbs))

        lines = [told(forms[names[k]], names[k], f[names[k]]) for k in order]
        if tabled:
            lines = []
        if has_per:
            lines.insert(local.randrange(len(lines) + 1), told(forms["per"], per, f["each"]))
        if free:
            lines.insert(local.randrange(len(lines) + 1), told(forms["free"], free, free_price))
        if f["extra"]:
            lines.append(told(TEXTS["add" if f["extra"] > 0 else "off"][extra_form], amount=abs(f["extra"])))
        head = told(forms["budget"])
        if tabled:
            rows = [[names[k].removeprefix("the ").removeprefix("a "), f[names[k]]] for k in order]
            return "\n".join([head, table(["item", f"cost ({CURRENCY_WORDS[currency][1]})"], rows), *lines])
        return lay_out(local, [*lines, head] if budget_last else [head, *lines], title)

    states = both(render, cases, rng)
    fits = (totals[0] <= budget, totals[1] <= budget)

    within, over = formatted(TEXTS["within"], aim=s.aim), formatted(TEXTS["over"], aim=s.aim)
    questions = [polar(rng, fits, within, over, TEXTS["within_meaning"])]

    def show(amount: int) -> str:
        return f"{currency}{amount:,}"

    wrong = [
        budget,
        totals[0] + abs(cases[0]["extra"]),
        totals[1] - abs(cases[1]["extra"]),
        totals[0] + scale,
        totals[1] - scale,
        totals[0] + (free_price if free else 2 * scale),
        totals[0] - (cases[0]["heads"] - 1) * cases[0]["each"] if has_per else totals[0] + 3 * scale,
    ]
    questions.append(
        pick(rng, formatted(TEXTS["ask_total"], aim=s.aim), (show(totals[0]), show(totals[1])), [show(m) for m in wrong if m > 0], most=6)
    )
    if rng.random() < 0.6:

        def tell(total: int) -> str:
            if total == budget:
                return "nothing left, nothing lacking"
            return f"{show(budget - total)} left" if total < budget else f"{show(total - budget)} lacking"

        wrong = [2 * budget - totals[0], 2 * budget - totals[1], budget, totals[0] + scale, totals[1] - 2 * scale]
        questions.append(pick(rng, TEXTS["ask_rest"], (tell(totals[0]), tell(totals[1])), [tell(total) for total in wrong], most=6))
    parts = tuple({**{name: f[name] for name in names}, **({per: f["heads"] * f["each"]} if has_per else {})} for f in cases)
    top = tuple(max(p, key=p.get) for p in parts)
    unique = all(sorted(p.values())[-1] != sorted(p.values())[-2] for p in parts)
    if unique and top[0] != top[1] and rng.random() < 0.8:
        questions.append(pick(rng, TEXTS["ask_largest"], top, [*names, *([per] if has_per else []), *([free] if free else [])], most=6))
    level = tuple(3 if t > budget else 2 if t == budget else 1 if 2 * t >= budget else 0 for t in totals)
    if level[0] != level[1] and rng.random() < 0.5:
        questions.append(score(rng.choice(formatted(TEXTS["ask_level"], aim=s.aim)), TEXTS["levels"], level))
    return Twin(states, questions)
