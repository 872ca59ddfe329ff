"""Teaches reading a log: interleaved lines of several subjects, where a retry, a later line or the lack of a closing line decides how each ended."""

import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import MEN, WOMEN
from .shapes import filled, formatted, made
from .text_files import load_texts
from .twin import Twin, score

TEXTS = load_texts("log_lines")


@dataclass(frozen=True)
class Setting:
    """names: subjects. start, setback, success, failure: line texts. What success and failure are called in questions (yes forms, no forms)."""

    names: tuple[str, ...]
    start: tuple[str, ...]
    setback: tuple[str, ...]
    success: tuple[str, ...]
    failure: tuple[str, ...]
    ended_well: tuple[str, ...]
    ended_badly: tuple[str, ...]


SETTINGS = [
    Setting(
        [f"job {n}" for n in range(101, 160)],
        ["{s} started", "{s} picked up by a worker", "{s} is running"],
        ["{s} failed: timeout, will retry", "{s} lost its connection, next attempt in 30 s", "{s} hit an error, queued again"],
        ["{s} finished", "{s} done, exit code 0", "{s} completed"],
        ["{s} failed for good, no retries left", "{s} given up after the last attempt", "{s} aborted, exit code 1"],
        ["Did {s} succeed in the end?", "{s} got its work done.", "Was {s} brought to a good end?", "The result of {s} is available."],
        ["Did {s} fail for good?", "{s} was never completed.", "Was {s} given up?", "The work of {s} remains undone."],
    ),
    Setting(
        [f"parcel {n}" for n in range(4001, 4090)],
        ["{s} loaded on van 7", "{s} out for delivery", "{s} left the depot"],
        [
            "{s}: nobody home, second attempt later today",
            "{s}: street blocked, driver will come back",
            "{s}: bell not answered, will try again",
        ],
        ["{s} handed to the recipient", "{s} delivered, signature taken", "{s}: left with the recipient"],
        ["{s} returned to sender", "{s} refused at the door, going back", "{s} damaged beyond use, written off"],
        ["Did {s} reach the recipient?", "{s} was delivered.", "Has the recipient got {s}?", "{s} arrived in the end."],
        ["Did {s} never reach the recipient?", "{s} went undelivered.", "Is the recipient still without {s}?", "{s} did not get through."],
    ),
    Setting(
        [f"badge {n}" for n in range(200, 290)],
        ["{s} held to reader at gate B", "{s} presented at the north door", "{s} seen at the turnstile"],
        ["{s}: not read, please try again", "{s}: PIN mistyped, one more try", "{s}: reader busy, repeat"],
        ["{s}: door released", "{s}: access granted", "{s}: let in"],
        ["{s}: access denied, guard called", "{s}: turned away", "{s}: blocked, door stays shut"],
        ["Did the holder of {s} get in?", "The door opened for {s}.", "Was {s} let through?", "{s} was accepted in the end."],
        [
            "Was the holder of {s} kept out?",
            "The door stayed shut for {s}.",
            "Did {s} fail to get through?",
            "{s} was rejected in the end.",
        ],
    ),
    Setting(
        [f"flight {a}{n}" for a in ("LX", "QN", "TR") for n in range(310, 340)],
        ["{s} boarding", "{s}: gate opened", "{s}: passengers called"],
        ["{s} delayed, crew late", "{s} held back by fog", "{s}: wait for a spare part"],
        ["{s} took off", "{s} airborne", "{s} departed"],
        ["{s} cancelled, rebooking at desk 4", "{s} struck from the board, hotel vouchers issued", "{s} will not fly today"],
        ["Did {s} fly?", "{s} left the airport.", "Did passengers on {s} get away?", "{s} was in the air in the end."],
        ["Did {s} stay on the ground?", "{s} did not leave.", "Were passengers on {s} left behind?", "{s} was called off."],
    ),
    Setting(
        [f"payment {n}" for n in range(7710, 7799)],
        ["{s} submitted", "{s} sent to the bank", "{s} received from the shop"],
        ["{s}: bank not reachable, will repeat", "{s}: code wrong, customer asked again", "{s}: on hold for a check"],
        ["{s} cleared", "{s} booked", "{s} settled"],
        ["{s} declined by the bank", "{s} voided", "{s} rejected, customer told"],
        ["Did {s} go through?", "The money of {s} was transferred.", "Was {s} carried out?", "{s} ended with the money moving."],
        ["Was {s} turned down?", "The money of {s} did not move.", "Did {s} come to nothing?", "{s} was not carried out."],
    ),
    Setting(
        [f"{name} (bib {number})" for number, name in enumerate(WOMEN + MEN, 11)],
        ["{s} on the course", "{s} started", "{s} passed the first checkpoint"],
        ["{s} fell, got up again", "{s} stops at the aid station", "{s} lost the way, turned round"],
        ["{s} crossed the line", "{s} in the finish area", "{s}: finish time taken"],
        ["{s} withdrew", "{s} taken off the course by the medics", "{s} disqualified"],
        ["Did {s} finish the race?", "{s} made it to the end.", "Does {s} get a finish time?", "{s} completed the course."],
        [
            "Did {s} drop out or get taken out?",
            "{s} did not finish.",
            "Was the race over early for {s}?",
            "{s} is missing from the finishers.",
        ],
    ),
]


def twin(rng: random.Random) -> Twin:
    setting, count = rng.choice(SETTINGS), rng.choice([2, 3, 3, 4])
    subjects = rng.sample(setting.names, count)
    # each subject: number of setbacks, ended well?; the first two change ends between the worlds
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
