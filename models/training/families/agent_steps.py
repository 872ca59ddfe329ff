"""Teaches reading the plan and tool calls of a software agent: what is done, failed or waiting, in which order, and whether the policy allows the next call."""

import random
from dataclasses import dataclass
from typing import Any

from .asking import both, described, pick, polar
from .people import CITIES, FIRM_NAMES, WOMEN
from .shapes import capital, filled, formatted, made
from .text_files import load_texts
from .twin import State, Twin
from .wording import words

TEXTS = load_texts("agent_steps")


def twin(rng: random.Random) -> Twin:
    return rng.choice([progress, order, allowed, allowed])(rng)


def goal_and_steps(rng: random.Random, count: int) -> tuple[str, list[str]]:
    goal = rng.choice(list(TEXTS["jobs"]))
    return goal.format(city=rng.choice(CITIES), firm=rng.choice(FIRM_NAMES), name=rng.choice(WOMEN)), rng.sample(TEXTS["jobs"][goal], count)


def progress(rng: random.Random) -> Twin:
    """A list of steps with how each stands; two steps change places in that."""
    goal, steps = goal_and_steps(rng, rng.randint(3, 6))
    here, there = rng.sample(list(TEXTS["states"]), 2)
    if "done" not in (here, there) and rng.random() < 0.6:
        here = "done"
    spare = [name for name in TEXTS["states"] if name not in (here, there)]
    rest = {step: rng.choice(spare) for step in steps[2:]}
    worlds = ({**rest, steps[0]: here, steps[1]: there}, {**rest, steps[0]: there, steps[1]: here})
    shown = rng.sample(steps, len(steps))
    shape = rng.randrange(4)

    def render(world: dict[str, str], draw: random.Random) -> State:
        word = {name: draw.choice(forms) for name, forms in TEXTS["states"].items()}
        if shape == 0:
            return {"goal": goal, "steps": [{"step": step, "status": word[world[step]]} for step in shown]}
        if shape == 1:
            return f"Goal: {goal}\n" + "\n".join(
                f"[{dict(done='x', failed='!', waiting=' ', skipped='-')[world[step]]}] {step} ({word[world[step]]})" for step in shown
            )
        if shape == 2:
            return [
                {"role": "user", "text": f"Please {goal}."},
                *({"role": "tool", "call": step, "result": word[world[step]]} for step in shown),
            ]
        return f"The agent was told to {goal}. " + " ".join(f"{capital(step)}: {word[world[step]]}." for step in shown)

    forms = TEXTS["ask_status"]
    questions = []
    for step, kinds in ((steps[0], (here, there)), (steps[1], (there, here))):
        asked = rng.choice(kinds)
        questions.append(
            polar(
                rng,
                (kinds[0] == asked, kinds[1] == asked),
                filled(forms[asked][0], s=step, S=capital(step)),
                filled(forms[asked][1], s=step, S=capital(step)),
            )
        )
        meanings = TEXTS["meanings"]
        questions.append(described(rng, formatted(TEXTS["which_status"], step=step), meanings, kinds))
    single = TEXTS["which_step"]
    questions.append(pick(rng, single[here], (steps[0], steps[1]), steps))
    return made(rng, both(render, worlds, rng), questions)


def order(rng: random.Random) -> Twin:
    """Calls in time order; two of them change places."""
    goal, steps = goal_and_steps(rng, rng.randint(3, 6))
    i, j = sorted(rng.sample(range(len(steps)), 2))
    swapped = list(steps)
    swapped[i], swapped[j] = steps[j], steps[i]
    first, second = steps[i], steps[j]
    shape = rng.randrange(4)

    def render(run: list[str], draw: random.Random) -> State:
        if shape == 0:
            return {"task": goal, "calls": run}
        if shape == 1:
            return [{"turn": n, "action": step} for n, step in enumerate(run, 1)]
        if shape == 2:
            clock = draw.randint(480, 1000)
            return f"run log ({goal})\n" + "\n".join(
                f"{(clock + 3 * n) // 60:02d}:{(clock + 3 * n) % 60:02d} {step}" for n, step in enumerate(run)
            )
        joints = TEXTS["joints"]
        return f"Asked to {goal}, the agent began: {run[0]}. " + " ".join(f"{draw.choice(joints)}{step}." for step in run[1:])

    before = TEXTS["before"]
    questions = [polar(rng, (True, False), filled(before, a=first, b=second), filled(before, a=second, b=first)) for _ in range(2)]
    for where, ways in ((0, TEXTS["ask_first"]), (len(steps) - 1, TEXTS["ask_last"])):
        if steps[where] != swapped[where]:
            questions.append(pick(rng, ways, (steps[where], swapped[where]), steps))
    place = rng.choice([i, j])
    questions.append(pick(rng, formatted(TEXTS["ask_place"], place=words(place + 1)), (steps[place], swapped[place]), steps))
    return made(rng, both(render, (steps, swapped), rng), questions)


@dataclass(frozen=True)
class Case:
    """A rule, and the history and next call of the state in which it is kept and of that in which it is broken."""

    rule: str
    kept: tuple[tuple[str, ...], str]
    broken: tuple[tuple[str, ...], str]


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
    """A policy, what has happened so far, and the call about to be made: kept in one state, broken in the other."""
    pool = cases(rng)
    name = rng.choice(list(pool))
    clashes = [
        {"amount", "approval"},
        {"database", "read only"},
        {"database", "backup"},
        {"read only", "backup"},
    ]  # rules that bear on the same calls
    chosen = [name]
    for key in rng.sample(list(pool), rng.randint(2, 5)):
        if key not in chosen and len(chosen) < 4 and not any(pair <= {*chosen, key} for pair in clashes):
            chosen.append(key)
    rules = rng.sample(chosen, len(chosen))
    noise = rng.sample(TEXTS["harmless_calls"], rng.randint(0, 2))
    shape = rng.randrange(3)

    def render(case: tuple[list[str], str], draw: random.Random) -> State:
        history = noise + case[0]
        texts = [pool[rule].rule for rule in rules]
        if shape == 0:
            return {"policy": texts, "history": history, "next_call": case[1]}
        if shape == 1:
            return (
                "Policy:\n"
                + "\n".join(f"{n}. {text}" for n, text in enumerate(texts, 1))
                + "\nCalls so far:"
                + ("".join(f"\n> {call}" for call in history) or " none")
                + f"\nAbout to call: {case[1]}"
            )
        return f"{' '.join(texts)} So far the agent has called: {'; '.join(history) or 'nothing'}. Now it wants to call {case[1]}."

    questions: list[Any] = [polar(rng, (True, False), TEXTS["allowed"], TEXTS["forbidden"], TEXTS["verdict_meaning"]) for _ in range(2)]
    questions.append(
        pick(rng, TEXTS["ask_rule"], (rng.choice(TEXTS["no_rule"]), pool[name].rule), [pool[rule].rule for rule in rules], fixed=True)
    )
    questions.append(described(rng, TEXTS["ask_verdict"], TEXTS["verdicts"], ("allow", "block")))
    return made(rng, both(render, (pool[name].kept, pool[name].broken), rng), questions)
