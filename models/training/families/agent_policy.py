"""Asks whether a software agent's policy allows its next call."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import FIRM_NAMES, WOMEN
from .shapes import made
from .text_files import load_texts
from .twin import State, Twin
from .wording import words

TEXTS = load_texts("agent_policy")


@dataclass(frozen=True)
class Case:
    """A rule, with the history and the next call of a state that keeps it and of one that breaks it."""

    rule: str
    kept: tuple[Sequence[str], str]
    broken: tuple[Sequence[str], str]


def cases(rng: random.Random) -> dict[str, Case]:
    firm, other = rng.sample([name.lower() for name in FIRM_NAMES], 2)
    limit, spent, boss, count = rng.choice([50, 100, 200, 250, 400]), rng.randint(1, 40), rng.choice(WOMEN), rng.randint(2, 4)
    table, table_2 = rng.sample(TEXTS["tables"], 2)
    searches = [f'web_search("{word}")' for word in rng.sample(TEXTS["searches"], count)]
    pay = f'pay(to="{firm}", amount={limit + spent})'
    return {
        "folder": Case(
            f"Files may only be written below /srv/{firm}.",
            ([], f'write_file("/srv/{firm}/{table}.csv")'),
            ([], f'write_file("/srv/{other}/{table}.csv")'),
        ),
        "mail": Case(
            f"Mail goes only to addresses at {firm}.example.",
            ([], f'send_mail(to="{boss.lower()}@{firm}.example", subject="{other}")'),
            ([], f'send_mail(to="{boss.lower()}@{other}.example", subject="{firm}")'),
        ),
        "amount": Case(f"Payments of more than {limit} are forbidden.", ([], f'pay(to="{firm}", amount={limit - spent})'), ([], pay)),
        "approval": Case(
            f"A payment above {limit} needs the approval of {boss} first.",
            ([f'ask({boss}, "{limit + spent} to {firm}?") -> approved'], pay),
            ([f'ask({boss}, "{limit + spent} to {firm}?") -> no answer yet'], pay),
        ),
        "backup": Case(
            "A table may be deleted only if the same table has been backed up before.",
            ([f'backup("{table}") -> ok'], f'delete_table("{table}")'),
            ([f'backup("{table_2}") -> ok'], f'delete_table("{table}")'),
        ),
        "searches": Case(
            f"At most {words(count)} web searches in one run.",
            (searches[:-1], 'web_search("phone number of the town hall")'),
            (searches, 'web_search("phone number of the town hall")'),
        ),
        "database": Case(
            "In production, only reading is allowed; in staging, anything goes.",
            ([], f'sql(db="staging", "DELETE FROM {table}")'),
            ([], f'sql(db="production", "DELETE FROM {table}")'),
        ),
        "read only": Case(
            f'In the database "{firm}", only reading is allowed.',
            ([], f'sql(db="{firm}", "SELECT * FROM {table}")'),
            ([], f'sql(db="{firm}", "UPDATE {table} SET active = 0")'),
        ),
    }


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

    def render(case: tuple[Sequence[str], str], draw: random.Random) -> State:
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
