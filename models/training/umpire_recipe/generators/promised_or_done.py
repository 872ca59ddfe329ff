"""Teaches what is done, as opposed to promised, begun, attempted, asked for or refused."""

import random

from .parts.asking import both, described, pick, polar
from .parts.layouts import lay_out, with_asides
from .parts.people import JOBS, people, words_of
from .parts.shapes import filled, formatted
from .parts.text_files import load_texts
from .parts.twin import Twin, score
from .parts.wording import cap, words

TEXTS = load_texts("promised_or_done")
MEANINGS = TEXTS["meanings"]


def twin(rng: random.Random) -> Twin:
    n = rng.randint(2, 4)
    persons, jobs, title = people(rng, n), rng.sample(JOBS, n), rng.choice(TEXTS["titles"])
    statuses = [rng.choice(list(TEXTS["tell"])) for _ in range(n)]
    # Usually one of the two is 'done', since the main trap is to take a promise for the deed.
    pair = list(TEXTS["tell"]) if rng.random() < 0.35 else ["done", rng.choice([s for s in TEXTS["tell"] if s != "done"])]
    old, new = rng.sample(pair, 2)
    forms = [rng.random() for _ in range(n)]
    sequence = rng.sample(range(n), n)

    def render(status: str, local: random.Random) -> object:
        now = [status, *statuses[1:]]
        lines = []
        for i in sequence:
            tell = TEXTS["tell"][now[i]]
            lines.append(cap(tell[int(forms[i] * len(tell))].format(**words_of(jobs[i], persons[i]))))
        return lay_out(local, with_asides(local, lines), title)

    states = both(render, (old, new), rng)
    w = words_of(jobs[0], persons[0])

    questions = []
    if "done" in (old, new):
        done, still_open = filled(TEXTS["done"], **w), filled(TEXTS["open"], **w)
        questions.append(polar(rng, (old == "done", new == "done"), done, still_open, formatted(TEXTS["done_meaning"], **w)))
    asked = old if old != "done" and (new == "done" or rng.random() < 0.5) else new
    if rng.random() < 0.6 or not questions:
        has_status = [*filled(TEXTS["has_status"][asked], **w), *filled(TEXTS["has_any_status"], m=MEANINGS[asked], **w)]
        questions.append(polar(rng, (old == asked, new == asked), has_status))
    if rng.random() < 0.7:
        options = {key: MEANINGS[key] for key in dict.fromkeys((old, new, *rng.sample(list(MEANINGS), rng.randint(1, 4))))}
        questions.append(described(rng, formatted(TEXTS["ask_status"], **w), options, (old, new)))

    def ready(status: str) -> int:
        """How many jobs are done."""
        return sum(s == "done" for s in [status, *statuses[1:]])

    if rng.random() < 0.5 and ready(old) != ready(new):
        counts = [words(k) for k in range(n + 1)]
        questions.append(pick(rng, TEXTS["how_many_done"], (words(ready(old)), words(ready(new))), counts, most=5, fixed=True))
    if len(questions) == 1 or rng.random() < 0.2:
        pairs = {status: f"{w['what']}: {MEANINGS[status]}" for status in dict.fromkeys((old, new, *rng.sample(list(MEANINGS), 2)))}
        which_line = formatted(TEXTS["which_line"], **w)
        questions.append(pick(rng, which_line, (pairs[old], pairs[new]), list(pairs.values()), most=5, opaque=0.6, fixed=True))
    level = {"refused": 0, "asked": 0, "failed": 0, "promised": 0, "begun": 1, "done": 2}
    if level[old] != level[new] and rng.random() < 0.5:
        ask_progress = rng.choice(formatted(TEXTS["ask_progress"], Doing=cap(w["doing"]), **w))
        questions.append(score(ask_progress, TEXTS["progress"], (level[old], level[new])))
    return Twin(states, questions)
