"""Teaches comparing: more and less, ranks and differences, with mixed units and values told as differences."""

import random
from collections.abc import Sequence

from .parts.asking import both, pick, polar
from .parts.layouts import lay_out, table, with_asides
from .parts.measures import MEASURES
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score
from .parts.wording import CURRENCIES, cap, number

TEXTS = load_texts("comparison")


def twin(rng: random.Random) -> Twin:
    m = rng.choice(MEASURES)
    n = rng.choice([2, 3, 3, 4, 4, 5])
    subjects, currency = m.subjects(rng, n), rng.choice(CURRENCIES)
    values: list[int] = []
    while len(set(values)) < n:
        centre = rng.randrange(m.low, m.high, m.step)
        steps = [rng.randint(-12, 12) * (rng.choice([1, 1, 7]) if m.name == "price" else 1) for _ in range(n)]
        values = [max(m.low, centre + step * m.step) for step in steps]
    # In the second state the value of i moves past that of j.
    i, j = rng.sample(range(n), 2)
    moved = [*values]
    tries = 0
    while len(set(moved)) < n or (moved[i] > values[j]) == (values[i] > values[j]):
        tries += 1
        moved[i] = max(m.low, values[j] + (1 if values[i] < values[j] else -1) * m.step * rng.randint(1, 4 + tries // 8))
        if tries > 60:
            return twin(rng)
    # Chained: the text gives the value of i only as a difference from another subject, the anchor.
    chained = (rng.random() < 0.5 and m.name != "age") or (m.name == "age" and rng.random() < 0.4)
    anchor = rng.choice([k for k in range(n) if k != i])
    form, order, shape = rng.choice(m.tell), rng.sample(range(n), n), rng.random()
    chain_forms = (rng.choice(m.chain_more), rng.choice(m.chain_less))
    title = rng.choice([None, cap(m.name), "Comparison", "Overview", "Notes"])
    unit = {"price": currency, "weight": "g", "duration": "min", "distance": "m", "age": "years", "points": ""}[m.name]

    def difference(local: random.Random, d: int) -> str:
        return number(local, d) if m.name in ("age", "points") else m.say(local, d, currency)

    def render(now: list[int], local: random.Random) -> State:
        if not chained and shape < 0.15:
            return table(["", f"{m.name} ({unit})" if unit else m.name], [[cap(subjects[k]), now[k]] for k in order])
        if not chained and shape < 0.3:
            return [{"of": subjects[k], m.name: now[k] if m.name in ("age", "points") else m.say(local, now[k], currency)} for k in order]
        lines = []
        for k in order:
            if chained and k == i:
                d = now[i] - now[anchor]
                lines.append(chain_forms[d < 0].format(x=subjects[i], y=subjects[anchor], d=difference(local, abs(d))))
            else:
                lines.append(form.format(s=subjects[k], v=m.say(local, now[k], currency)))
        return lay_out(local, with_asides(local, [cap(line) + "." for line in lines]), title)

    if chained and m.name in ("age", "points") and 1 in (abs(values[i] - values[anchor]), abs(moved[i] - values[anchor])):
        return twin(rng)  # it would read 'one years older'
    cases = [values, moved]
    rng.shuffle(cases)
    states = both(render, cases, rng)
    truth = (cases[0][i] > cases[0][j], cases[1][i] > cases[1][j])

    def ask(claims: Sequence[str]) -> list[str]:
        return [question for claim in claims for question in formatted(TEXTS["ask_claim"], c=claim, C=cap(claim))]

    more, less = (formatted(forms, x=subjects[i], y=subjects[j]) for forms in (m.more, m.less))
    questions = [polar(rng, truth, ask(more), ask(less), (rng.choice(more), rng.choice(less)))]
    ranked = [sorted(range(n), key=lambda k: -case[k]) for case in cases]
    asked = [(m.most, 0), (m.least, -1)]
    if n > 2:
        asked.append((formatted(TEXTS["ranked_second"], measure=m.name), 1))
    telling = [(forms, tuple(subjects[r[place]] for r in ranked)) for forms, place in asked if ranked[0][place] != ranked[1][place]]
    if telling:
        for forms, right in rng.sample(telling, min(len(telling), rng.choice([1, 1, 2]))):
            questions.append(pick(rng, forms, right, subjects, most=6))
    if n > 2 and rng.random() < 0.5:
        place = tuple(r.index(i) for r in ranked)
        levels = [f"{p} of {n} from below" if p > 1 else "lowest" for p in range(1, n + 1)]
        questions.append(score(f"Rank of {subjects[i]} by {m.name}, lowest first", levels, tuple(n - 1 - p for p in place)))
    if rng.random() < 0.5:
        gaps = tuple(abs(case[i] - case[j]) for case in cases)
        if gaps[0] != gaps[1]:

            def tell(gap: int) -> str:
                return difference(random.Random(gap), gap)

            ask_difference = formatted(TEXTS["ask_difference"], x=subjects[i], y=subjects[j], measure=m.name)
            wrong = [step * m.step for step in rng.sample(range(1, 14), 3) if step * m.step not in gaps]
            tempting = [tell(gap) for gap in (*wrong, gaps[0] + gaps[1])]
            questions.append(pick(rng, ask_difference, (tell(gaps[0]), tell(gaps[1])), tempting, most=6))
    return Twin(states, questions)
