"""Teaches reading a log: lines of several subjects are interleaved, and the last line of each tells how it ended."""

import random
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.people import MEN, WOMEN
from .parts.shapes import filled, formatted, made
from .parts.text_files import load_texts
from .parts.twin import Twin, score

TEXTS = load_texts("log_lines")


@dataclass(frozen=True)
class Setting:
    """start, setback, success, failure: lines about the subject {s}. ended_well, ended_badly: questions on its end. names: the subjects."""

    kind: str
    start: tuple[str, ...]
    setback: tuple[str, ...]
    success: tuple[str, ...]
    failure: tuple[str, ...]
    ended_well: tuple[str, ...]
    ended_badly: tuple[str, ...]
    names: list[str]


NAMES = {
    "job": [f"job {n}" for n in range(101, 160)],
    "parcel": [f"parcel {n}" for n in range(4001, 4090)],
    "badge": [f"badge {n}" for n in range(200, 290)],
    "flight": [f"flight {line}{n}" for line in ("LX", "QN", "TR") for n in range(310, 340)],
    "payment": [f"payment {n}" for n in range(7710, 7799)],
    "runner": [f"{name} (bib {bib})" for bib, name in enumerate(WOMEN + MEN, 11)],
}
SETTINGS = [Setting(**row, names=NAMES[row["kind"]]) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    setting, count = rng.choice(SETTINGS), rng.choice([2, 3, 3, 4])
    subjects = rng.sample(setting.names, count)
    # The first two subjects swap their ends between the states.
    setbacks = {name: rng.choice([0, 1, 1, 2]) for name in subjects}
    rest = rng.random() < 0.5
    fates = [{subjects[0]: good, subjects[1]: not good, **dict.fromkeys(subjects[2:], rest)} for good in (True, False)]
    order = [name for name in subjects for _ in range(setbacks[name] + 2)]
    rng.shuffle(order)
    style, minute = rng.randrange(4), rng.randint(360, 1200)

    def render(fate: dict[str, bool], draw: random.Random) -> str:
        seen, lines, clock = dict.fromkeys(subjects, 0), [], minute
        for name in order:
            seen[name] += 1
            last = seen[name] == setbacks[name] + 2
            forms = setting.start if seen[name] == 1 else (setting.success if fate[name] else setting.failure) if last else setting.setback
            clock += draw.randint(1, 9)
            text, time = draw.choice(forms).format(s=name), f"{clock // 60:02d}:{clock % 60:02d}"
            lines.append([f"{time} {text}", f"[{time}:{draw.randint(10, 59)}] {text}", f"{time} INFO {text}", f"{time} - {text}."][style])
        return "\n".join(lines)

    first, second = subjects[:2]
    questions = [
        polar(rng, (i == 0, i == 1), filled(setting.ended_well, s=name), filled(setting.ended_badly, s=name), TEXTS["end_meaning"])
        for i, name in enumerate((first, second))
    ]
    right = (second, first) if rest else (first, second)
    questions.append(pick(rng, TEXTS["which_failed"] if rest else TEXTS["which_succeeded"], right, subjects))
    for name, good in ((first, (True, False)), (second, (False, True))):
        kinds = ["failure" if not well else "success after trouble" if setbacks[name] else "straight success" for well in good]
        questions.append(described(rng, filled(TEXTS["ask_course"], s=name), TEXTS["outcomes"], (kinds[0], kinds[1])))
    counts = [sum(fate[name] for name in subjects[1:]) for fate in fates]
    questions.append(
        score(rng.choice(formatted(TEXTS["how_many_others"], first=first)), ["none", "one", "two", "three"][:count], (counts[0], counts[1]))
    )
    return made(rng, both(render, fates, rng), questions)
