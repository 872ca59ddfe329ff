"""Teaches reading an agent's plan and tool calls: what is done, failed or waiting, in which order, and what its policy allows."""

import random

from .parts.agent_policy import allowed
from .parts.asking import both, described, pick, polar
from .parts.people import CITIES, FIRM_NAMES, WOMEN
from .parts.shapes import filled, formatted, made
from .parts.text_files import load_texts
from .parts.twin import State, Twin
from .parts.wording import cap, words

TEXTS = load_texts("agent_steps")


def twin(rng: random.Random) -> Twin:
    return rng.choice([progress, order, allowed, allowed])(rng)


def goal_and_steps(rng: random.Random, count: int) -> tuple[str, list[str]]:
    goal = rng.choice(list(TEXTS["jobs"]))
    return goal.format(city=rng.choice(CITIES), firm=rng.choice(FIRM_NAMES), name=rng.choice(WOMEN)), rng.sample(TEXTS["jobs"][goal], count)


def progress(rng: random.Random) -> Twin:
    """A list of steps, each with its status. Two steps swap theirs."""
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
            marks = {"done": "x", "failed": "!", "waiting": " ", "skipped": "-"}
            return f"Goal: {goal}\n" + "\n".join(f"[{marks[world[step]]}] {step} ({word[world[step]]})" for step in shown)
        if shape == 2:
            return [
                {"role": "user", "text": f"Please {goal}."},
                *({"role": "tool", "call": step, "result": word[world[step]]} for step in shown),
            ]
        return f"The agent was told to {goal}. " + " ".join(f"{cap(step)}: {word[world[step]]}." for step in shown)

    questions = []
    for step, kinds in ((steps[0], (here, there)), (steps[1], (there, here))):
        asked = rng.choice(kinds)
        forms = TEXTS["has_status"][asked]
        yes, no = filled(forms["yes"], s=step, S=cap(step)), filled(forms["no"], s=step, S=cap(step))
        questions.append(polar(rng, (kinds[0] == asked, kinds[1] == asked), yes, no))
        questions.append(described(rng, formatted(TEXTS["ask_status"], step=step), TEXTS["meanings"], kinds))
    questions.append(pick(rng, TEXTS["which_step"][here], (steps[0], steps[1]), steps))
    return made(rng, both(render, worlds, rng), questions)


def order(rng: random.Random) -> Twin:
    """Calls in time order. Two of them swap places."""
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
        later = " ".join(f"{draw.choice(TEXTS['joints'])}{step}." for step in run[1:])
        return f"Asked to {goal}, the agent began: {run[0]}. {later}"

    before = TEXTS["before"]
    questions = [polar(rng, (True, False), filled(before, a=first, b=second), filled(before, a=second, b=first)) for _ in range(2)]
    for where, ways in ((0, TEXTS["ask_first"]), (len(steps) - 1, TEXTS["ask_last"])):
        if steps[where] != swapped[where]:
            questions.append(pick(rng, ways, (steps[where], swapped[where]), steps))
    place = rng.choice([i, j])
    questions.append(pick(rng, formatted(TEXTS["ask_place"], place=words(place + 1)), (steps[place], swapped[place]), steps))
    return made(rng, both(render, (steps, swapped), rng), questions)
