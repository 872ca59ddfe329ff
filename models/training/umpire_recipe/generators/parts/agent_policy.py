"""Asks whether a software agent's policy allows its next call."""

import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import FIRM_NAMES, WOMEN
from .shapes import formatted, made
from .text_files import load_texts
from .twin import State, Twin
from .wording import words

TEXTS = load_texts("agent_policy")


Calls = tuple[list[str], str]  # the history and the next call


@dataclass(frozen=True)
class Case:
    """A rule, with the calls of a state that keeps it and of one that breaks it."""

    rule: str
    kept: Calls
    broken: Calls


def cases(rng: random.Random) -> dict[str, Case]:
    firm, other = rng.sample([name.lower() for name in FIRM_NAMES], 2)
    limit, spent, boss, count = rng.choice([50, 100, 200, 250, 400]), rng.randint(1, 40), rng.choice(WOMEN), rng.randint(2, 4)
    table, other_table = rng.sample(TEXTS["tables"], 2)
    values = {"firm": firm, "other": other, "table": table, "other_table": other_table, "boss": boss, "mailbox": boss.lower()}
    values |= {"limit": limit, "above": limit + spent, "below": limit - spent, "count": words(count)}
    found = {}
    for name, texts in TEXTS["cases"].items():
        kept, broken = ((formatted(side["history"], **values), side["call"].format(**values)) for side in (texts["kept"], texts["broken"]))
        found[name] = Case(texts["rule"].format(**values), kept, broken)
    searches = [f'web_search("{word}")' for word in rng.sample(TEXTS["searches"], count)]
    found["searches"].kept[0].extend(searches[:-1])
    found["searches"].broken[0].extend(searches)
    return found


def allowed(rng: random.Random) -> Twin:
    """A policy, the calls so far and the next call, which keeps the policy in one state and breaks it in the other."""
    pool = cases(rng)
    name = rng.choice(list(pool))
    # Rules that apply to the same calls
    clashes = [{"amount", "approval"}, {"database", "read only"}, {"database", "backup"}, {"read only", "backup"}]
    chosen = [name]
    for key in rng.sample(list(pool), rng.randint(2, 5)):
        if key not in chosen and len(chosen) < 4 and not any(pair <= {*chosen, key} for pair in clashes):
            chosen.append(key)
    rules = rng.sample(chosen, len(chosen))
    noise = rng.sample(TEXTS["harmless_calls"], rng.randint(0, 2))
    shape = rng.randrange(3)

    def render(case: Calls, draw: random.Random) -> State:
        history = [*noise, *case[0]]
        texts = [pool[rule].rule for rule in rules]
        if shape == 0:
            return {"policy": texts, "history": history, "next_call": case[1]}
        if shape == 1:
            numbered = "\n".join(f"{n}. {text}" for n, text in enumerate(texts, 1))
            calls = "".join(f"\n> {call}" for call in history) or " none"
            return f"Policy:\n{numbered}\nCalls so far:{calls}\nAbout to call: {case[1]}"
        return f"{' '.join(texts)} So far the agent has called: {'; '.join(history) or 'nothing'}. Now it wants to call {case[1]}."

    questions = [polar(rng, (True, False), TEXTS["allowed"], TEXTS["forbidden"], TEXTS["verdict_meaning"]) for _ in range(2)]
    questions.append(
        pick(rng, TEXTS["ask_rule"], (rng.choice(TEXTS["no_rule"]), pool[name].rule), [pool[rule].rule for rule in rules], fixed=True)
    )
    questions.append(described(rng, TEXTS["ask_verdict"], TEXTS["verdicts"], ("allow", "block")))
    return made(rng, both(render, (pool[name].kept, pool[name].broken), rng), questions)
