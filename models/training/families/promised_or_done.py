"""Teaches what is done against what is promised, planned, begun, attempted, asked for or refused."""

import random

from .asking import both, described, pick, polar
from .layouts import lay_out, with_asides
from .people import JOBS, Job, people
from .shapes import formatted
from .text_files import load_texts
from .twin import Twin, score
from .wording import cap, words

TEXTS = load_texts("promised_or_done")
# {who}, {base} 'book the hall', {done} 'booked the hall', {doing}, {what} 'the hall', {is}, {pp} 'booked', {has}, {was}

MEANS = TEXTS["means"]


UNWILLING = ("This describes {who}: {m}.", "Status of the job of {who}: {m}.")


def words_of(job: Job, who: object) -> dict[str, str]:
    what = job.what
    return {
        "who": who.name,
        "his": who.his,
        "he": who.he,
        "him": who.him,
        "base": f"{job.base} {what}",
        "done": f"{job.done} {what}",
        "past": f"{job.past} {what}",
        "doing": f"{job.doing} {what}",
        "what": what,
        "What": cap(what),
        "pp": job.done,
        "is": job.be(),
        "Is": cap(job.be()),
        "has": job.be("perfect"),
        "was": job.be("past"),
    }


def twin(rng: random.Random) -> Twin:
    n = rng.randint(2, 4)
    persons, jobs, title = people(rng, n), rng.sample(JOBS, n), rng.choice(TEXTS["titles"])
    statuses = [rng.choice(list(TEXTS["tell"])) for _ in range(n)]
    # half the time one of the two is 'done', the chief trap being a promise taken for the deed
    old, new = (
        rng.sample(list(TEXTS["tell"]), 2)
        if rng.random() < 0.35
        else rng.sample(["done", rng.choice([s for s in TEXTS["tell"] if s != "done"])], 2)
    )
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

    def fill(forms_):
        return [cap(f.format(**w)) for f in forms_]

    questions = []
    if "done" in (old, new):
        questions.append(
            polar(
                rng,
                (old == "done", new == "done"),
                fill(TEXTS["done"]),
                fill(TEXTS["open"]),
                formatted(TEXTS["done_meaning"], what=w["what"], has=w["has"], pp=w["pp"]),
            )
        )
    asked = old if old != "done" and (new == "done" or rng.random() < 0.5) else new
    if rng.random() < 0.6 or not questions:
        questions.append(
            polar(
                rng, (old == asked, new == asked), fill(TEXTS["willing"][asked]) + [cap(f.format(m=MEANS[asked], **w)) for f in UNWILLING]
            )
        )
    if rng.random() < 0.7:
        options = {key: MEANS[key] for key in dict.fromkeys((old, new, *rng.sample(list(MEANS), rng.randint(1, 4))))}
        questions.append(described(rng, formatted(TEXTS["ask_status"], what=w["what"], base=w["base"], who=w["who"]), options, (old, new)))

    def ready(status):
        return sum(s == "done" for s in [status, *statuses[1:]])

    if rng.random() < 0.5 and ready(old) != ready(new):
        questions.append(
            pick(rng, TEXTS["how_many_done"], (words(ready(old)), words(ready(new))), [words(k) for k in range(n + 1)], most=5, fixed=True)
        )
    if len(questions) == 1 or rng.random() < 0.2:
        pairs = {status: f"{w['what']}: {MEANS[status]}" for status in dict.fromkeys((old, new, *rng.sample(list(MEANS), 2)))}
        questions.append(
            pick(
                rng,
                formatted(TEXTS["which_line"], what=w["what"], who=w["who"]),
                (pairs[old], pairs[new]),
                list(pairs.values()),
                most=5,
                opaque=0.6,
                fixed=True,
            )
        )
    level = {"refused": 0, "asked": 0, "failed": 0, "promised": 0, "begun": 1, "done": 2}
    if level[old] != level[new] and rng.random() < 0.5:
        questions.append(
            score(
                rng.choice(formatted(TEXTS["ask_progress"], what=w["what"], Doing=cap(w["doing"]))),
                TEXTS["progress"],
                (level[old], level[new]),
            )
        )
    return Twin(states, questions)
