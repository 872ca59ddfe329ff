"""Teaches opening hours: whether a place is open at a given time, with days apart, a lunch break, special days and last admission."""
import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import CITIES, firms, people
from .twin import State, Twin, score
from .wording import WEEKDAYS, a, cap, clock, lay_out, span

PLACES = ('pharmacy', 'town library', 'garage', 'swimming pool', 'museum', 'bakery', 'bank branch', 'post office', 'registry office', 'help desk', 'vaccination centre', 'depot counter', 'climbing hall', 'tool library', 'recycling yard', 'dentist', 'bike workshop', 'school office', 'visa office', 'telephone hotline')
WEEK = ('Monday to Friday the {p} is open from {o} to {c}.', 'On weekdays we open at {o} and close at {c}.', 'Mon-Fri {o} - {c}.', 'From Monday through Friday: doors open {o}, doors close {c}.', 'During the week you find us from {o} until {c}.', 'Working days: {o} to {c}.', 'The {p} opens at {o} on working days and shuts at {c}.')
SATURDAY = ('On Saturdays it is {o} to {c}.', 'Saturday: {o} - {c}.', 'Saturdays we start at {o} and stop at {c}.', 'Hours on Saturday run from {o} until {c}.', 'At the weekend only Saturday counts: {o} to {c}.', 'Each Saturday, {o} till {c}.')
SUNDAY = ('Closed on Sundays.', 'No opening on Sunday.', 'On Sundays the doors stay shut.', 'Sunday: closed.', 'We rest on Sundays.', 'Nobody is here on a Sunday.')
BREAK = ('Closed for lunch on weekdays from {o} to {c}.', 'Between {o} and {c} on weekdays there is a break.', 'Weekday lunch break: {o} - {c}.', 'From Monday to Friday the doors are shut between {o} and {c}.', 'On working days we pause from {o} to {c}.', 'Nobody is in from {o} until {c}, Monday to Friday.')
LATE = ('On {d}s we stay open until {c}.', '{d}s are different: closing is at {c}.', 'Late opening on {d}: till {c}.', 'Only on {d} does closing move to {c}.', 'Each {d} the doors close at {c} instead.', 'On a {d} closing time is {c}, the rest as on other days.')
SHUT = ('This {d} we stay closed all day for stocktaking.', 'Note: no opening at all this {d}.', 'This {d} is a holiday and the doors stay shut.', 'Because of building work there is no opening this {d}.', 'This coming {d}: closed, staff training.', 'We are closed this {d}; afterwards all goes on as usual.')
PLAN = ('{who} wants to come this {d} at {t}.', 'It is {d}, {t}, and {who} stands at the door.', '{who} plans a visit this {d}, {t}.', '{who} will get there this {d} at {t}.', "{who}'s message: this {d}, {t}, is that possible?", 'This {d} {who} arrives at {t}.')
RIVAL = ('{who} went last {d} at {t}.', '{who} asked for {d} next week, {t}.', '{who} was there last {d}, {t}.')
OPEN = ('The {p} is open when {who} comes.', 'Will {who} find the doors open?', 'Is {who} there within opening hours?', '{who} can go in at that time.', 'Does the time {who} has in mind fall within the hours?', 'Somebody will be there to serve {who} at that time.')
CLOSED = ('The {p} is closed when {who} comes.', 'Will {who} find the doors shut?', 'Is {who} there outside opening hours?', '{who} cannot go in at that time.', 'Does the time {who} has in mind fall outside the hours?', 'Nobody will be there to serve {who} at that time.')
REASONS = {'open': 'the place is open', 'too early': 'the doors have not opened yet on that day', 'lunch break': 'the doors open again later in the day, after a pause', 'too late': 'the doors have closed for the day', 'not open that day': 'there is no opening on that day'}


@dataclass(frozen=True)
class Visit:
    day: int  # 0 is Monday
    time: int  # minutes since midnight


def twin(rng: random.Random) -> Twin:
    place, (who, rival) = rng.choice(PLACES), [p.name for p in people(rng, 2)]
    opens, closes = rng.choice([420, 450, 480, 510, 540, 570, 600]), rng.choice([960, 990, 1020, 1050, 1080, 1110, 1140])
    sat_opens, sat_closes = opens + rng.choice([0, 30, 60]), rng.choice([720, 750, 780, 810, 840, 900])
    pause = (rng.choice([720, 735, 750, 780]), rng.choice([810, 825, 840, 870])) if rng.random() < .5 else None
    late = (rng.randrange(5), closes + rng.choice([60, 90, 120, 150])) if rng.random() < .5 else None
    shut = rng.randrange(6) if rng.random() < .35 else None
    if late and shut == late[0]:
        shut = None

    def hours(day: int) -> list[tuple[int, int]]:
        """The spans of a day in which the doors are open."""
        if day == 6 or day == shut:
            return []
        if day == 5:
            return [(sat_opens, sat_closes)]
        end = late[1] if late and late[0] == day else closes
        return [(opens, pause[0]), (pause[1], end)] if pause else [(opens, end)]

    def status(visit: Visit) -> str:
        spans = hours(visit.day)
        if not spans:
            return 'not open that day'
        if any(start <= visit.time < end for start, end in spans):
            return 'open'
        return 'too early' if visit.time < spans[0][0] else 'too late' if visit.time >= spans[-1][1] else 'lunch break'

    # times near the edges, never on one, as 'open until six' leaves six itself unsaid
    edges = [opens, closes, sat_opens, sat_closes, *(pause or ()), *([late[1]] if late else [])]
    times = [edge + shift for edge in edges for shift in (-45, -20, -15, 10, 15, 30, 55)]
    times = [t for t in times if t not in edges]
    days = [d for d in range(7) if d != 6 or rng.random() < .5]
    while True:
        base = Visit(rng.choice([*days, *([late[0]] * 3 if late else []), *([shut] * 2 if shut is not None else [])]), rng.choice(times))
        new = Visit(base.day, rng.choice(times)) if rng.random() < .5 else Visit(rng.randrange(7), base.time)
        if (status(base) == 'open') != (status(new) == 'open'):
            break
    cases = [base, new]
    rng.shuffle(cases)
    forms = {key: rng.choice(pool) for key, pool in {'week': WEEK, 'sat': SATURDAY, 'sun': SUNDAY, 'break': BREAK, 'late': LATE, 'shut': SHUT, 'plan': PLAN, 'rival': RIVAL}.items()}
    has_rival, first, structured = rng.random() < .4, rng.random() < .3, rng.random() < .2
    rival_visit, title = Visit(rng.randrange(6), rng.choice(times)), rng.choice([None, f'{cap(place)}, {rng.choice(CITIES)}', cap(place), f'{firms(rng, 1)[0]} {place}'])

    def render(visit: Visit, local: random.Random) -> State:
        say = lambda t: clock(local, t, .25)
        plan = cap(forms['plan'].format(who=who, d=WEEKDAYS[visit.day], t=say(visit.time)))
        if structured:
            table = {day[:3].lower(): ', '.join(f'{s // 60:02d}:{s % 60:02d}-{e // 60:02d}:{e % 60:02d}' for s, e in hours(d)) or 'closed' for d, day in enumerate(WEEKDAYS)}
            return {'place': title or cap(place), 'hours_this_week': table, 'message': plan}
        lines = [forms['week'].format(p=place, o=say(opens), c=say(closes)), forms['sat'].format(o=say(sat_opens), c=say(sat_closes)), forms['sun']]
        if pause:
            lines.append(forms['break'].format(o=say(pause[0]), c=say(pause[1])))
        if late:
            lines.append(forms['late'].format(d=WEEKDAYS[late[0]], c=say(late[1])))
        if shut is not None:
            lines.append(forms['shut'].format(d=WEEKDAYS[shut]))
        if local.random() < .4:
            local.shuffle(lines)
        visits = [plan] + ([forms['rival'].format(who=rival, d=WEEKDAYS[rival_visit.day], t=say(rival_visit.time))] if has_rival else [])
        local.shuffle(visits)
        head = f'The place in question is {a(place)}.' if 'p}' not in forms['week'] and not title else ''
        return lay_out(local, [line for line in ([head, *visits, *lines] if first else [head, *lines, *visits]) if line], title)

    states = both(render, cases, rng)
    found = (status(cases[0]), status(cases[1]))
    truth = (found[0] == 'open', found[1] == 'open')
    fill = lambda forms_: [f.format(who=who, p=place) for f in forms_]
    questions = [polar(rng, truth, fill(OPEN), fill(CLOSED), (f'the {place} is open at that time', f'the {place} is closed at that time'))]
    keys = {k: v for k, v in REASONS.items() if k in found or (k != 'lunch break' or pause) and rng.random() < .8}
    if rng.random() < .6:
        questions.append(described(rng, [f'What awaits {who}?', f'How does the time of {who} stand to the opening hours?', f'{who} at the door:'], keys, found))
    if cases[0].day != cases[1].day and rng.random() < .6:
        names = tuple(WEEKDAYS[c.day] for c in cases)
        questions.append(pick(rng, [f'On which day does {who} come?', f'Day of the visit of {who}:'], names, WEEKDAYS, most=7))
    left = tuple(next((end - c.time for start, end in hours(c.day) if start <= c.time < end), 0) for c in cases)
    if rng.random() < .6:
        tell = lambda m: span(random.Random(m), m) if m else 'it is closed at that time'
        questions.append(pick(rng, [f'If {who} comes then, how long until the doors are shut?', f'How much time has {who} before the doors close (a break counts as closing)?', f'Minutes left to {who} until the next closing of the doors:'], (tell(left[0]), tell(left[1])), [tell(x) for x in (max(left) + 30, max(left) + 15, abs(max(left) - 10), 60, 0)], most=6, fixed=True))
    if len(questions) == 1:
        questions.append(described(rng, f'Which word fits the moment at which {who} comes?', {k: REASONS[k] for k in REASONS if k in found or k != 'lunch break'}, found))
    if rng.random() < .3:
        levels = ['closed', 'open for less than an hour more', 'open for an hour or longer']
        questions.append(score(rng.choice([f'How comfortable is the time of {who}?', f'State of the {place} as {who} arrives:']), levels, tuple(0 if not x else 1 if x < 60 else 2 for x in left)))
    return Twin(states, questions)
