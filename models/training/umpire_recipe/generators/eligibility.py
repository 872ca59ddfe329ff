"""Teaches who qualifies: several numeric and yes/no criteria against records, tables or notes on a few applicants."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .people import CITIES, people
from .twin import State, Twin, score
from .wording import cap, count, lay_out, listed, table, words


@dataclass(frozen=True)
class Field:
    """One criterion. rule takes {n}; note takes {who} and {v}."""

    name: str
    rule: tuple[str, ...]
    note: tuple[str, ...]
    low: int
    high: int
    step: int
    at_least: bool
    unit: tuple[str, str] = ('', '')


@dataclass(frozen=True)
class Setting:
    titles: tuple[str, ...]
    aim: str  # 'the housing grant'
    fields: tuple[Field, ...]


F = Field
SETTINGS = [
    Setting(('Housing office', 'City of {city}: rent support', 'Rent support'), 'rent support', (F('years_in_city', ('{n} in the city or longer', 'at least {n} of residence here', 'no fewer than {n} in the city'), ('{who} has lived here for {v}', '{who} moved here {v} ago'), 2, 9, 1, True, ('year', 'years')), F('monthly_income', ('an income of {n} a month at most', 'no more than {n} a month coming in', 'income up to {n} a month'), ('{who} earns {v} a month', '{who} takes home {v} a month'), 1200, 2400, 100, False, ('euro', 'euros')),
        F('household', ('a household of {n} or more', 'at least {n} in the home', '{n} or more under one roof'), ("{v} live in {who}'s home", 'there are {v} in the home of {who}'), 2, 5, 1, True, ('person', 'people')))),
    Setting(('Trainee scheme', 'Junior camp', 'Sea rescue youth crew'), 'a place', (F('age', ('an age of {n} or more', 'an age of at least {n}', 'an age no lower than {n}'), ('{who} is {v} old', '{who} turned {v} old last week'), 14, 21, 1, True, ('year', 'years')), F('swim_metres', ('{n} of swimming or more', 'a swim of {n} or further', 'a swim of at least {n}'), ('{who} swam {v}', '{who} managed {v} in the pool'), 100, 600, 50, True, ('metre', 'metres')),
        F('missed_meetings', ('{n} missed at most', 'no more than {n} missed', '{n} or fewer missed'), ('{who} missed {v}', '{who} was absent from {v}'), 2, 6, 1, False, ('meeting', 'meetings')))),
    Setting(('Supplier check', 'Approved suppliers', 'Tender'), 'the framework contract', (F('years_trading', ('{n} in business or longer', 'at least {n} of trading', 'trading of {n} or more'), ('{who} has traded for {v}', '{who} has been in business for {v}'), 2, 12, 1, True, ('year', 'years')), F('delivery_days', ('delivery within {n} at most', 'no longer than {n} to deliver', 'at most {n} from order to door'), ('{who} delivers in {v}', '{who} takes {v} to deliver'), 3, 14, 1, False, ('day', 'days')),
        F('open_complaints', ('{n} on file at most', 'no more than {n} on file', '{n} or fewer on file'), ('against {who} there are {v} on file', '{who} has {v} on file'), 2, 7, 1, False, ('complaint', 'complaints')))),
    Setting(('Loyalty scheme', 'Gold card', 'Frequent traveller desk'), 'gold status', (F('trips', ('{n} in the year or more', 'at least {n} within the year', 'no fewer than {n} a year'), ('{who} made {v}', '{who} counts {v} this year'), 6, 30, 1, True, ('trip', 'trips')), F('spent', ('{n} spent or more', 'spending of at least {n}', 'no less than {n} spent'), ('{who} spent {v}', '{who} paid us {v} in all'), 800, 4000, 100, True, ('dollar', 'dollars')), F('cancellations', ('{n} at most', 'no more than {n}', '{n} or fewer'), ('{who} had {v}', '{who} is down for {v}'), 2, 6, 1, False, ('cancellation', 'cancellations')))),
    Setting(('Auto-merge policy', 'Release gate', 'Change control'), 'automatic release', (F('approvals', ('{n} or more', 'at least {n}', 'no fewer than {n}'), ('the change by {who} has {v}', "{who}'s change carries {v}"), 2, 5, 1, True, ('approval', 'approvals')), F('lines_changed', ('{n} at most', 'no more than {n}', 'a change of {n} or fewer'), ('the change by {who} runs to {v}', "{who}'s change touches {v}"), 40, 400, 20, False, ('line', 'lines')), F('coverage', ('test coverage of {n} or more', 'at least {n} test coverage', 'coverage no lower than {n}'), ("{who}'s tests cover {v}", 'coverage for {who} is {v}'), 60, 80, 5, True, ('percent', 'percent')))),
    Setting(('Study recruitment', 'Sleep study', 'Trial screening'), 'a place in the study', (F('age', ('an age of {n} or more', 'an age of {n} at the least', 'an age not below {n}'), ('{who} is {v} old', '{who} has reached {v}'), 30, 65, 5, True, ('year', 'years')), F('hours_of_sleep', ('{n} a night at most', 'sleep of no more than {n} a night', '{n} a night or less'), ('{who} sleeps {v} a night', '{who} gets {v} a night'), 4, 7, 1, False, ('hour', 'hours')), F('coffees', ('{n} a day at most', 'no more than {n} a day', '{n} a day or fewer'), ('{who} drinks {v} a day', '{who} has {v} a day'), 2, 5, 1, False, ('coffee', 'coffees')))),
]
YES = ('{who} qualifies for {aim}.', 'Is {who} eligible for {aim}?', '{who} meets every condition.', 'Should {who} be accepted for {aim}?', 'Nothing disqualifies {who}.', 'Does {who} pass on all points?', "{who}'s application holds up against the list.")
NO = ('{who} does not qualify for {aim}.', 'Is {who} ineligible for {aim}?', '{who} falls down on at least one condition.', 'Should {who} be turned away from {aim}?', 'Something disqualifies {who}.', 'Does {who} fail on any point?', "{who}'s application breaks down on one point or more.")


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    fields = rng.sample(s.fields, rng.choice([2, 3, 3]))
    limits = [rng.randrange(f.low, f.high + 1, f.step) for f in fields]
    passes = lambda k, v: v >= limits[k] if fields[k].at_least else v <= limits[k]

    def value(k: int, good: bool) -> int:
        """A value near the limit, the limit itself now and then."""
        away = (rng.choice([0, 0, 1, 2, 4]) if good else rng.choice([1, 1, 2])) * fields[k].step
        return max(1 if fields[k].low < 10 else fields[k].step, limits[k] + (away if good == fields[k].at_least else -away))

    persons = people(rng, rng.randint(1, 4))
    names = [p.name for p in persons]
    # the first is the one asked about: all points met in one state, one missed in the other
    records = [[value(k, True) for k in range(len(fields))]] + [[value(k, rng.random() < .75) for k in range(len(fields))] for _ in names[1:]]
    k = rng.randrange(len(fields))
    failed = [*records[0]]
    failed[k] = value(k, False)
    if passes(k, failed[k]):  # pushed back to the smallest value allowed: widen the gap by lifting the limit
        limits[k] += fields[k].step
        records[0][k], failed[k] = limits[k], limits[k] + (-1 if fields[k].at_least else 1) * fields[k].step
    cases = [records[0], failed]
    rng.shuffle(cases)
    tell_rule = [rng.choice(f.rule) for f in fields]
    tell_note = [[rng.choice(f.note) for f in fields] for _ in names]
    order, shape, title = rng.sample(range(len(names)), len(names)), rng.random(), rng.choice(s.titles).format(city=rng.choice(CITIES))
    head = rng.choice(['Conditions for {aim}: {all}.', '{Aim} calls for all of this: {all}.', 'To get {aim} you need {all}.', 'For {aim} every one of these must be met: {all}.', 'We give {aim} on these conditions, none of which can be waived: {all}.', 'Required for {aim}: {all}.'])

    def render(first: list[int], local: random.Random) -> State:
        say = lambda i, v: count(local, v, *fields[i].unit, .3) if fields[i].unit[0] != 'percent' else f'{v} percent'
        rule = head.format(aim=s.aim, Aim=cap(s.aim), all='; '.join(tell_rule[i].format(n=say(i, limits[i])) for i in range(len(fields))))
        rows = [first, *records[1:]]
        if shape < .2:
            return f"{title}\n{rule}\n\n{table(['name', *(f.name.replace('_', ' ') for f in fields)], [[names[i], *rows[i]] for i in order])}"
        if shape < .4:
            return {'rule': rule, 'applicants': [{'name': names[i], **{f.name: v for f, v in zip(fields, rows[i], strict=True)}} for i in order]}
        notes = []
        for i in order:
            parts = [tell_note[i][j].format(who=names[i] if j == 0 or not tell_note[i][j].startswith('{who} ') else '{he}', v=say(j, rows[i][j])) for j in range(len(fields))]
            notes.append(cap(listed([part.format(he=persons[i].he) for part in parts])) + '.')
        return lay_out(local, [rule, *notes] if local.random() < .7 else [*notes, rule], title if local.random() < .6 else None)

    states = both(render, cases, rng)
    okay = lambda row: all(passes(i, v) for i, v in enumerate(row))
    truth, who = (okay(cases[0]), okay(cases[1])), names[0]
    fill = lambda forms: [f.format(who=who, aim=s.aim) for f in forms]
    questions = [polar(rng, truth, fill(YES), fill(NO), (f'{who} meets all conditions', f'{who} misses a condition'))]
    met = tuple(sum(passes(i, v) for i, v in enumerate(row)) for row in cases)
    label = [f.name.replace('_', ' ') for f in fields]
    if rng.random() < .6:
        right = tuple('none' if good else label[k] for good in truth)
        questions.append(pick(rng, [f'Which point tells against {who}?', f'Where does {who} fail?', f'What must {who} still bring up to the mark?'], right, [*label, 'none'], most=5, fixed=True))
    if rng.random() < .35:
        questions.append(score(rng.choice([f'How many of the conditions does {who} meet?', f'{who}: conditions met']), [words(n) for n in range(len(fields) + 1)], met))
    if len(names) > 1:
        fit = lambda row: [n for n, r in sorted(zip(names, [row, *records[1:]], strict=True)) if okay(r)]
        tell = lambda row: listed(fit(row)) if fit(row) else 'nobody'
        right = (tell(cases[0]), tell(cases[1]))
        wrong = [listed(sorted(names)), 'nobody', *names] + [listed(sorted(rng.sample(names, 2))) for _ in range(3)]
        if rng.random() < .7:
            questions.append(pick(rng, [f'Who is eligible for {s.aim}?', 'Which applicants pass on every point?', f'To whom can {s.aim} be given?'], right, wrong, most=6, fixed=True))
        else:
            questions.append(pick(rng, [f'How many applicants qualify for {s.aim}?', 'Number of applicants who pass on every point'], (words(len(fit(cases[0]))), words(len(fit(cases[1])))), [words(n) for n in range(len(names) + 1)], most=5, fixed=True))
    v = cases[0][k], cases[1][k]
    if len(questions) == 1 or rng.random() < .4:
        questions.append(polar(rng, (passes(k, v[0]), passes(k, v[1])), [f'As regards {label[k]}, {who} is within the rule.', f'Is {who} good enough on the point "{label[k]}"?'], [f'As regards {label[k]}, {who} is outside the rule.', f'Is {who} not good enough on the point "{label[k]}"?']))
    return Twin(states, questions)
