"""Teaches opening hours: whether a place is open at a time, with weekends, a lunch break, a late evening and closed days."""

import random
from dataclasses import dataclass

from .parts.asking import both, described, pick, polar
from .parts.layouts import lay_out
from .parts.people import CITIES, firms, people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS, clock, span
from .parts.twin import State, Twin, score
from .parts.wording import a, cap

TEXTS = load_texts("opening_hours")


@dataclass(frozen=True)
class Visit:
    """day: from 0 (Monday) to 6. time: in minutes since midnight."""

    day: int
    time: int


def twin(rng: random.Random) -> Twin:
    place, (who, rival) = rng.choice(TEXTS["places"]), [p.name for p in people(rng, 2)]
    opens, closes = rng.choice([420, 450, 480, 510, 540, 570, 600]), rng.choice([960, 990, 1020, 1050, 1080, 1110, 1140])
    sat_opens, sat_closes = opens + rng.choice([0, 30, 60]), rng.choice([720, 750, 780, 810, 840, 900])
    pause = (rng.choice([720, 735, 750, 780]), rng.choice([810, 825, 840, 870])) if rng.random() < 0.5 else None
    late = (rng.randrange(5), closes + rng.choice([60, 90, 120, 150])) if rng.random() < 0.5 else None
    shut = rng.randrange(6) if rng.random() < 0.35 else None
    if late and shut == late[0]:
        shut = None

    def hours(day: int) -> list[tuple[int, int]]:
        """When the place is open on a day, as spans in minutes since midnight."""
        if day == 6 or day == shut:
            return []
        if day == 5:
            return [(sat_opens, sat_closes)]
        end = late[1] if late and late[0] == day else closes
        return [(opens, pause[0]), (pause[1], end)] if pause else [(opens, end)]

    def status(visit: Visit) -> str:
        spans = hours(visit.day)
        if not spans:
            return "not open that day"
        if any(start <= visit.time < end for start, end in spans):
            return "open"
        if visit.time < spans[0][0]:
            return "too early"
        return "too late" if visit.time >= spans[-1][1] else "lunch break"

    # Times near the edges but never on one: 'open until six' does not say whether six is included.
    edges = [opens, closes, sat_opens, sat_closes, *(pause or ()), *([late[1]] if late else [])]
    times = [edge + shift for edge in edges for shift in (-45, -20, -15, 10, 15, 30, 55)]
    times = [t for t in times if t not in edges]
    days = [d for d in range(7) if d != 6 or rng.random() < 0.5]
    while True:
        special_days = [*([late[0]] * 3 if late else []), *([shut] * 2 if shut is not None else [])]
        base = Visit(rng.choice([*days, *special_days]), rng.choice(times))
        new = Visit(base.day, rng.choice(times)) if rng.random() < 0.5 else Visit(rng.randrange(7), base.time)
        if (status(base) == "open") != (status(new) == "open"):
            break
    cases = [base, new]
    rng.shuffle(cases)
    forms = {kind: rng.choice(pool) for kind, pool in TEXTS["forms"].items()}
    has_rival, first, structured = rng.random() < 0.4, rng.random() < 0.3, rng.random() < 0.2
    rival_visit = Visit(rng.randrange(6), rng.choice(times))
    title = rng.choice([None, f"{cap(place)}, {rng.choice(CITIES)}", cap(place), f"{firms(rng, 1)[0]} {place}"])

    def render(visit: Visit, local: random.Random) -> State:
        def say(time: int) -> str:
            return clock(local, time, 0.25)

        plan = cap(forms["plan"].format(who=who, d=WEEKDAYS[visit.day], t=say(visit.time)))
        if structured:
            table = {
                day[:3].lower(): ", ".join(f"{s // 60:02d}:{s % 60:02d}-{e // 60:02d}:{e % 60:02d}" for s, e in hours(d)) or "closed"
                for d, day in enumerate(WEEKDAYS)
            }
            return {"place": title or cap(place), "hours_this_week": table, "message": plan}
        lines = [
            forms["week"].format(p=place, o=say(opens), c=say(closes)),
            forms["saturday"].format(o=say(sat_opens), c=say(sat_closes)),
            forms["sunday"],
        ]
        if pause:
            lines.append(forms["break"].format(o=say(pause[0]), c=say(pause[1])))
        if late:
            lines.append(forms["late"].format(d=WEEKDAYS[late[0]], c=say(late[1])))
        if shut is not None:
            lines.append(forms["shut"].format(d=WEEKDAYS[shut]))
        if local.random() < 0.4:
            local.shuffle(lines)
        visits = [plan]
        if has_rival:
            visits.append(forms["rival"].format(who=rival, d=WEEKDAYS[rival_visit.day], t=say(rival_visit.time)))
        local.shuffle(visits)
        head = f"The place in question is {a(place)}." if "p}" not in forms["week"] and not title else ""
        told = [*visits, *lines] if first else [*lines, *visits]
        return lay_out(local, [head, *told] if head else told, title)

    states = both(render, cases, rng)
    found = (status(cases[0]), status(cases[1]))
    truth = (found[0] == "open", found[1] == "open")

    yes, no = formatted(TEXTS["open"], who=who, p=place), formatted(TEXTS["closed"], who=who, p=place)
    questions = [polar(rng, truth, yes, no, formatted(TEXTS["open_meaning"], place=place))]
    keys = {k: v for k, v in TEXTS["reasons"].items() if k in found or ((k != "lunch break" or pause) and rng.random() < 0.8)}
    if rng.random() < 0.6:
        questions.append(described(rng, formatted(TEXTS["ask_reason"], who=who), keys, found))
    if cases[0].day != cases[1].day and rng.random() < 0.6:
        names = tuple(WEEKDAYS[c.day] for c in cases)
        questions.append(pick(rng, formatted(TEXTS["ask_day"], who=who), names, WEEKDAYS, most=7))
    left = tuple(next((end - c.time for start, end in hours(c.day) if start <= c.time < end), 0) for c in cases)
    if rng.random() < 0.6:

        def tell(minutes: int) -> str:
            return span(random.Random(minutes), minutes) if minutes else "it is closed at that time"

        wrong = [tell(minutes) for minutes in (max(left) + 30, max(left) + 15, abs(max(left) - 10), 60, 0)]
        ask_minutes = formatted(TEXTS["ask_minutes"], who=who)
        questions.append(pick(rng, ask_minutes, (tell(left[0]), tell(left[1])), wrong, most=6, fixed=True))
    if len(questions) == 1:
        reasons = {key: meaning for key, meaning in TEXTS["reasons"].items() if key in found or key != "lunch break"}
        questions.append(described(rng, f"Which word fits the moment at which {who} comes?", reasons, found))
    if rng.random() < 0.3:
        levels = tuple(0 if not minutes else 1 if minutes < 60 else 2 for minutes in left)
        questions.append(score(rng.choice(formatted(TEXTS["ask_level"], who=who, place=place)), TEXTS["levels"], levels))
    return Twin(states, questions)
