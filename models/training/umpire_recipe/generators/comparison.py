"""Teaches comparing: more and less, ranks, differences and multiples, across unlike units and through 'than' chains."""
import random
from collections.abc import Callable
from dataclasses import dataclass

from .asking import both, pick, polar
from .people import CITIES, GOODS, firms, people
from .twin import State, Twin, score
from .wording import CURRENCIES, cap, lay_out, money, number, possessive, span, table, with_asides


@dataclass(frozen=True)
class Measure:
    """name: column head. tell: statement with {s} and {v}. more/less: comparative clauses with {x} and {y}; chain: the same with {d}, a difference. most/least: questions for the extreme."""

    name: str
    tell: tuple[str, ...]
    more: tuple[str, ...]
    less: tuple[str, ...]
    most: tuple[str, ...]
    least: tuple[str, ...]
    chain_more: tuple[str, ...]
    chain_less: tuple[str, ...]
    low: int
    high: int
    step: int
    say: Callable[[random.Random, int, str], str]
    names: Callable[[random.Random, int], list[str]]


def weight(rng: random.Random, grams: int, _: str) -> str:
    return f'{grams} g' if rng.random() < .4 else f'{grams / 1000:g} kg' if rng.random() < .6 else f'{grams / 1000:g} kilos' if grams != 1000 else 'one kilo'


def length(rng: random.Random, metres: int, _: str) -> str:
    return f'{metres} m' if rng.random() < .3 else f'{metres / 1000:g} km' if rng.random() < .6 else f'{metres:,} metres' if metres >= 10_000 else f'{metres} metres'


things = lambda rng, n: [f'the {i.one}' for i in rng.sample([g for g in GOODS if ' of ' not in g.one], n)]
cities = lambda rng, n: [f'the {kind} to {c}' for kind in [rng.choice(['ride', 'tour', 'walk', 'trip'])] for c in rng.sample(CITIES, n)]
offers = lambda rng, n: [f'the offer from {f}' for f in firms(rng, n)] if rng.random() < .5 else [f"{possessive(p.name)} quote" for p in people(rng, n)]
names = lambda rng, n: [p.name for p in people(rng, n)]
M = Measure
MEASURES = [
    M('price', ('{s} costs {v}', '{s} is priced at {v}', 'for {s} one pays {v}', '{s}: {v}', '{s} comes to {v}', 'the bill for {s} would be {v}'), ('{x} costs more than {y}', '{x} is dearer than {y}', '{y} is cheaper than {x}', 'one saves money by taking {y} rather than {x}'), ('{x} costs less than {y}', '{x} is cheaper than {y}', '{y} is dearer than {x}', 'one saves money by taking {x} rather than {y}'), ('Which is the most expensive?', 'Where does one pay most?', 'The highest price belongs to'), ('Which is the cheapest?', 'Where does one pay least?', 'The lowest price belongs to'),
      ('{x} costs {d} more than {y}', '{x} is {d} above {y}', 'add {d} to the price of {y} and there is {x}'), ('{x} costs {d} less than {y}', '{x} is {d} below {y}', 'take {d} off the price of {y} and there is {x}'), 12, 900, 1, money, offers),
    M('weight', ('{s} weighs {v}', 'the scales show {v} for {s}', '{s}: {v}', '{s} comes to {v} on the scales', 'weight of {s}: {v}', '{s} brings {v} to the scales'), ('{x} is heavier than {y}', '{x} weighs more than {y}', '{y} is lighter than {x}', '{y} is easier to lift than {x}, going by weight'), ('{x} is lighter than {y}', '{x} weighs less than {y}', '{y} is heavier than {x}', '{x} is easier to lift than {y}, going by weight'), ('Which is the heaviest?', 'Which has the greatest weight?', 'Hardest on the back of whoever carries it, going by weight:'), ('Which is the lightest?', 'Which has the least weight?', 'Easiest to carry, going by weight:'),
      ('{x} is {d} heavier than {y}', '{x} weighs {d} more than {y}', 'put {d} on top of {y} to get the weight of {x}'), ('{x} is {d} lighter than {y}', '{x} weighs {d} less than {y}', 'take {d} from {y} to get the weight of {x}'), 300, 4000, 50, weight, things),
    M('duration', ('{s} took {v}', '{s} needed {v}', '{s} was busy for {v}', '{s}: {v}', 'after {v} {s} was through', '{s} finished in {v}'), ('{x} took longer than {y}', '{x} was slower than {y}', '{y} was quicker than {x}', '{y} was through in less time than {x}'), ('{x} was quicker than {y}', '{x} took less time than {y}', '{y} was slower than {x}', '{y} needed more time than {x}'), ('Who took longest?', 'Who was the slowest?', 'The most time was needed by'), ('Who was the quickest?', 'Who took the least time?', 'The shortest time belongs to'),
      ('{x} took {d} longer than {y}', '{x} needed {d} more than {y}', '{x} was through {d} after {y}, both having set off at once'), ('{x} was {d} quicker than {y}', '{x} needed {d} less than {y}', '{x} was through {d} ahead of {y}, both having set off at once'), 20, 170, 5, lambda rng, v, _: span(rng, v), names),
    M('distance', ('{s} is {v} long', '{s}: {v}', '{s} runs to {v}', 'it takes {v} to do {s}', 'for {s} the map says {v}', '{s} measures {v}'), ('{x} is longer than {y}', '{y} is shorter than {x}', '{x} covers more ground than {y}', 'there are more metres in {x} than in {y}'), ('{x} is shorter than {y}', '{y} is longer than {x}', '{x} covers less ground than {y}', 'there are fewer metres in {x} than in {y}'), ('Which is the longest?', 'Which covers the most ground?', 'Longest of all:'), ('Which is the shortest?', 'Which covers the least ground?', 'Shortest of all:'),
      ('{x} is {d} longer than {y}', '{x} has {d} on top of what {y} has', 'add {d} to {y} for the length of {x}'), ('{x} is {d} shorter than {y}', '{x} has {d} less than {y}', 'cut {d} from {y} for the length of {x}'), 600, 9000, 100, length, cities),
    M('age', ('{s} is {v}', '{s} has turned {v}', '{s}, {v}, is on the list', "{s}'s age is {v}", '{s} had birthday number {v} in spring', 'the file gives {v} as the age of {s}'), ('{x} is older than {y}', '{y} is younger than {x}', '{x} was born before {y}', '{y} has had fewer birthdays than {x}'), ('{x} is younger than {y}', '{y} is older than {x}', '{x} was born after {y}', '{y} has had more birthdays than {x}'), ('Who is the oldest?', 'Who was born first?', 'The eldest is'), ('Who is the youngest?', 'Who was born last?', 'The youngest is'),
      ('{x} is {d} years older than {y}', '{y} came into the world {d} years after {x}', '{x} is ahead of {y} by {d} years of age'), ('{x} is {d} years younger than {y}', '{y} came into the world {d} years before {x}', '{x} is behind {y} by {d} years of age'), 8, 80, 1, lambda rng, v, _: number(rng, v, .4), names),
    M('points', ('{s} scored {v} points', '{s} got {v} points', '{s}: {v} points', 'the jury gave {s} {v} points', '{s} finished on {v} points', 'on the board {s} stands at {v} points'), ('{x} did better than {y}', '{x} has more points than {y}', '{y} lies behind {x}', '{y} was beaten by {x}'), ('{x} did worse than {y}', '{x} has fewer points than {y}', '{y} lies ahead of {x}', '{x} was beaten by {y}'), ('Who won?', 'Who has the most points?', 'First place goes to'), ('Who came last?', 'Who has the fewest points?', 'Last place goes to'),
      ('{x} scored {d} more points than {y}', '{x} finished {d} points ahead of {y}', '{y} trails {x} by {d} points'), ('{x} scored {d} fewer points than {y}', '{x} finished {d} points behind {y}', '{y} leads {x} by {d} points'), 21, 99, 1, lambda rng, v, _: number(rng, v, .35), names),
]


def twin(rng: random.Random) -> Twin:
    m = rng.choice(MEASURES)
    n = rng.choice([2, 3, 3, 4, 4, 5])
    subjects, currency = m.names(rng, n), rng.choice(CURRENCIES)
    values: list[int] = []
    while len(set(values)) < n:
        centre = rng.randrange(m.low, m.high, m.step)
        values = [max(m.low, centre + rng.randint(-12, 12) * m.step * (1 if m.name in ('age', 'points') else rng.choice([1, 1, 7]) if m.name == 'price' else 1)) for _ in range(n)]
    # one subject's value moves past another's
    i, j = rng.sample(range(n), 2)
    moved = [*values]
    tries = 0
    while len(set(moved)) < n or (moved[i] > values[j]) == (values[i] > values[j]):
        tries += 1
        moved[i] = max(m.low, values[j] + (1 if values[i] < values[j] else -1) * m.step * rng.randint(1, 4 + tries // 8))
        if tries > 60:
            return twin(rng)
    chained = n > 1 and rng.random() < .5 and m.name != 'age' or (m.name == 'age' and rng.random() < .4)  # i is told as so much more or less than a third (or than j)
    anchor = rng.choice([k for k in range(n) if k != i])
    form, order, shape = rng.choice(m.tell), rng.sample(range(n), n), rng.random()
    chain_forms, title = (rng.choice(m.chain_more), rng.choice(m.chain_less)), rng.choice([None, cap(m.name), 'Comparison', 'Overview', 'Notes'])
    unit = {'price': currency, 'weight': 'g', 'duration': 'min', 'distance': 'm', 'age': 'years', 'points': ''}[m.name]
    difference = lambda local, d: number(local, d) if m.name in ('age', 'points') else m.say(local, d, currency)

    def render(now: list[int], local: random.Random) -> State:
        if not chained and shape < .15:
            return table(['', f'{m.name} ({unit})' if unit else m.name], [[cap(subjects[k]), now[k]] for k in order])
        if not chained and shape < .3:
            return [{'of': subjects[k], m.name: now[k] if m.name in ('age', 'points') else m.say(local, now[k], currency)} for k in order]
        lines = []
        for k in order:
            if chained and k == i:
                d = now[i] - now[anchor]
                lines.append(chain_forms[d < 0].format(x=subjects[i], y=subjects[anchor], d=difference(local, abs(d))))
            else:
                lines.append(form.format(s=subjects[k], v=m.say(local, now[k], currency)))
        return lay_out(local, with_asides(local, [cap(line) + '.' for line in lines]), title)

    if chained and m.name in ('age', 'points') and 1 in (abs(values[i] - values[anchor]), abs(moved[i] - values[anchor])):
        return twin(rng)  # 'one years older' would be wrong
    cases = [values, moved]
    rng.shuffle(cases)
    states = both(render, cases, rng)
    truth = (cases[0][i] > cases[0][j], cases[1][i] > cases[1][j])
    ask = lambda forms: [t for f in forms for c in [f.format(x=subjects[i], y=subjects[j])] for t in (f'{cap(c)}.', f'Is it right that {c}?', f'By the figures, {c}.', f'Do the figures show that {c}?')]
    questions = [polar(rng, truth, ask(m.more), ask(m.less), (rng.choice(m.more).format(x=subjects[i], y=subjects[j]), rng.choice(m.less).format(x=subjects[i], y=subjects[j])))]
    ranked = [sorted(range(n), key=lambda k: -case[k]) for case in cases]
    asked = [(m.most, 0), (m.least, -1)] + ([(('Which is second from the top in this respect: ' + m.name + '?', f'Ranked by {m.name}, the largest figure first, second comes', f'Second highest figure for {m.name}:'), 1)] if n > 2 else [])
    telling = [(forms, tuple(subjects[r[place]] for r in ranked)) for forms, place in asked if ranked[0][place] != ranked[1][place]]
    if telling:
        for forms, right in rng.sample(telling, min(len(telling), rng.choice([1, 1, 2]))):
            questions.append(pick(rng, forms, right, subjects, most=6))
    if n > 2 and rng.random() < .5:
        place = tuple(r.index(i) for r in ranked)
        questions.append(score(f'Rank of {subjects[i]} by {m.name}, lowest first', [f'{p} of {n} from below' if p > 1 else 'lowest' for p in range(1, n + 1)], tuple(n - 1 - p for p in place)))
    if rng.random() < .5:
        gaps = tuple(abs(case[i] - case[j]) for case in cases)
        if gaps[0] != gaps[1]:
            tell = lambda g: difference(random.Random(g), g)
            questions.append(pick(rng, [f'How far apart are {subjects[i]} and {subjects[j]} in {m.name}?', f'Difference in {m.name} between {subjects[j]} and {subjects[i]}'], (tell(gaps[0]), tell(gaps[1])), [tell(g * m.step) for g in rng.sample(range(1, 14), 3) if g * m.step not in gaps] + [tell(gaps[0] + gaps[1])], most=6))
    return Twin(states, questions)
