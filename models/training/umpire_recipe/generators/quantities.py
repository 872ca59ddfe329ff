"""Teaches stock and order arithmetic: what is left, missing or over after a movement or two, with numbers in words and rivals in the same text."""
import random

from .asking import both, pick, polar
from .people import DEPARTMENTS, FOOD, GOODS, SUPPLIES, people
from .twin import Twin, score
from .wording import count, lay_out, with_asides

PLACES = ('warehouse', 'storeroom', 'school kitchen', 'clinic store', 'workshop', 'festival tent', 'sports hall', 'ship stores', 'canteen', 'shop', 'depot', 'van', 'cellar', 'lab', 'base camp', 'scout hut')
START = ('We began the week with {x}.', 'There were {x} in the {place} at first.', '{x} stood in the {place} on Monday.', 'Opening stock: {x}.', 'The {place} held {x} to start with.', 'At the outset the count was {x}.', 'Monday morning: {x} on the shelf.', 'To begin with, the {place} had {x}.')
OUT = ('{who} took {x} out.', '{x} went to {who}.', '{who} signed for {x} and carried them off.', '{who} was issued {x}.', 'Out: {x}, to {who}.', '{who} used up {x}.', 'We handed {x} to {who}.', '{who} collected {x}.')
IN = ('A delivery brought {x} more.', '{x} came in on Wednesday.', 'In: {x}, from the supplier.', 'The supplier dropped off {x}.', 'We then received {x}.', 'Another {x} arrived by van.', 'On top of that, {x} were delivered.', 'Later the driver unloaded {x}.')
NEED = ('{x} are needed for Saturday.', 'For Saturday we want {x}.', 'The plan for Saturday calls for {x}.', 'Saturday takes {x}.', 'On Saturday {x} have to be there.', 'Needed on Saturday: {x}.')
OTHER = ('As for other things, {x} are in the {place} too.', 'Also in the {place}: {x}, untouched.', 'Nobody took anything from the shelf beside it with its {x}.', 'The corner still holds {x}, as before.', 'Not part of this: {x}.')
ENOUGH = ('There is enough for Saturday.', 'Does the stock cover Saturday?', 'Saturday is covered by what is left.', 'Can Saturday be met without ordering more?', 'What remains suffices for Saturday.', 'Is the quantity in hand sufficient for Saturday?', 'No further order is necessary for Saturday.')
SHORT = ('There are too few for Saturday.', 'Does the stock fall short of what Saturday takes?', 'More must be ordered before Saturday.', 'Is there a shortfall for Saturday?', 'What remains does not suffice for Saturday.', 'Saturday cannot be met from what is left.', 'Will they run out on Saturday?')
LEFT = ('How many {many} are left?', '{Many} still in the {place}:', 'What is the number of {many} now?', 'Count of {many} after all movements?', 'How many {many} remain after everything above?', 'Current stock of {many}', 'If someone counted the {many} now, what would they find?')


def twin(rng: random.Random) -> Twin:
    item, rest = rng.sample(rng.choice([GOODS, SUPPLIES, FOOD]), 2)
    place, takers = rng.choice(PLACES), [p.name for p in people(rng, 2)] if rng.random() < .6 else rng.sample(DEPARTMENTS, 2)
    start, need = rng.randint(14, 90), 0
    base = {'start': start, 'out': rng.randint(3, start // 3), 'out2': rng.randint(2, start // 4), 'in': rng.randint(2, 30)}
    steps = ['out', *(['in'] if rng.random() < .6 else []), *(['out2'] if rng.random() < .5 else [])]
    left = lambda f: f['start'] + sum(f[step] * (1 if step == 'in' else -1) for step in steps)
    changed = dict(base)
    key = rng.choice(['start', *steps])
    while abs(left(changed) - left(base)) < 2 or left(changed) < 2:
        changed[key] = max(2, base[key] + rng.choice([-9, -7, -5, -4, -3, -2, 2, 3, 4, 5, 7, 9]))
    facts = [base, changed] if rng.random() < .5 else [changed, base]
    lefts = (left(facts[0]), left(facts[1]))
    # what is needed lies between the two remainders, the larger of them included
    need = rng.randint(min(lefts) + 1, max(lefts))
    forms = {'start': rng.choice(START), 'out': rng.choice(OUT), 'out2': rng.choice(OUT), 'in': rng.choice(IN), 'need': rng.choice(NEED)}
    extra = rng.choice(OTHER) if rng.random() < .5 else ''
    extra_count = rng.choice([need, *lefts, rng.randint(3, 60)])

    def render(f: dict[str, int], local: random.Random) -> object:
        say = lambda n: count(local, n, item.one, item.many, .4)
        lines = [forms[step].format(x=say(f[step]), place=place, who=takers[step == 'out2']) for step in ('start', *steps)]
        others = [forms['need'].format(x=say(need))] + ([extra.format(x=count(local, extra_count, rest.one, rest.many), place=place)] if extra else [])
        for line in others:
            lines.insert(local.randrange(len(lines) + 1), line)
        return lay_out(local, with_asides(local, lines), title)

    title = rng.choice([None, f'{place.capitalize()} book', f'Stock note: {item.many}', 'Handover', f'{place.capitalize()}, Friday'])
    states = both(render, facts, rng)
    questions = [polar(rng, (lefts[0] >= need, lefts[1] >= need), ENOUGH, SHORT, (f'at least as many {item.many} remain as Saturday takes', f'fewer {item.many} remain than Saturday takes'))]
    tempting = [str(n) for n in (facts[0]['start'], need, facts[0]['out'], lefts[0] + facts[0]['out'], abs(lefts[0] - need), extra_count, max(lefts) + 1, min(lefts) - 1)]
    ask = lambda forms_: rng.choice(forms_).format(many=item.many, Many=item.many[0].upper() + item.many[1:], place=place)
    questions.append(pick(rng, ask(LEFT), (str(lefts[0]), str(lefts[1])), tempting, most=7))
    gaps = tuple(n - need for n in lefts)
    over = lambda g: 'exactly enough' if g == 0 else f'{g} too many' if g > 0 else f'{-g} too few'
    if rng.random() < .5:
        questions.append(pick(rng, [f'Compared with what Saturday takes, the remaining {item.many} are', 'Surplus or shortfall for Saturday?', 'How does the remainder compare with the need?'], (over(gaps[0]), over(gaps[1])), [over(-gaps[0]), over(-gaps[1]), over(gaps[0] + 2), over(gaps[1] - 1), over(0)], most=6))
    if rng.random() < .5:
        levels = ['short by more than three', 'short by one to three', 'just enough', 'one to three over', 'more than three over']
        level = lambda g: 2 if g == 0 else (3 if g <= 3 else 4) if g > 0 else (1 if g >= -3 else 0)
        questions.append(score(rng.choice([f'How well do the {item.many} cover Saturday?', 'Cover for Saturday:', 'Rate the remaining stock against the need.']), levels, (level(gaps[0]), level(gaps[1]))))
    point = rng.choice([n for n in range(min(lefts), max(lefts))])
    if rng.random() < .6:
        many = item.many
        questions.append(polar(rng, (lefts[0] > point, lefts[1] > point), [f'More than {point} {many} are left.', f'Do over {point} {many} remain?', f'After all that, the {place} still has at least {point + 1} {many}.'],
                               [f'At most {point} {many} are left.', f'Are there {point} {many} or fewer by the end?', f'The stock of {many} has fallen to {point} or below.' if point < start else f'No more than {point} {many} remain.']))
    return Twin(states, questions)
