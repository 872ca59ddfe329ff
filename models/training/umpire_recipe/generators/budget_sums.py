"""Teaches sums of money: totals of lines, prices for several, discounts and fees, against a budget, and what is left."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .twin import State, Twin, score
from .wording import CURRENCIES, CURRENCY_WORDS, cap, lay_out, money, table


@dataclass(frozen=True)
class Setting:
    """aim: 'the class trip'. lines: what has a price of its own. heads: what is paid per head, with the word for a head."""

    aim: str
    lines: tuple[str, ...]
    per: tuple[str, ...]
    head: tuple[str, str]


S = Setting
SETTINGS = [
    S('the class trip', ('the coach', 'the guide', 'the first-aid bag', 'the insurance', 'the room for the rainy day'), ('lunch', 'the museum ticket', 'the boat ride'), ('pupil', 'pupils')), S('the office party', ('the band', 'the hall', 'the flowers', 'the cleaning', 'the loudspeakers'), ('the buffet', 'drinks', 'the taxi home'), ('guest', 'guests')),
    S('the kitchen repair', ('the tap', 'the worktop', 'the paint', 'the call-out', 'the disposal of the old sink'), ('labour', 'the hire of the drill'), ('hour', 'hours')), S('the cloud bill', ('storage', 'the database', 'backups', 'support', 'the domain'), ('a licence', 'the seat fee', 'the virus scanner'), ('user', 'users')),
    S('the tournament', ('the pitch', 'the referees', 'the cups', 'the tent', 'the posters'), ('the entry fee of the league', 'a shirt', 'the meal'), ('player', 'players')), S('the study', ('the scanner', 'the lab rent', 'the statistics course', 'the freezer', 'the printing of forms'), ('the payment', 'travel money', 'the blood test'), ('volunteer', 'volunteers')),
    S('the family holiday', ('the ferry', 'the cottage', 'petrol', 'the dog sitter', 'the bicycle rack'), ('the spa tax', 'breakfast', 'the bike hire'), ('night', 'nights')), S('the book launch', ('the venue', 'the wine', 'the photographer', 'the invitations', 'the actor who reads'), ('a copy of the book', 'the snack', 'the name badge'), ('guest', 'guests')),
]
BUDGET = ('There is a budget of {b} for {aim}.', '{b} has been set aside for {aim}.', 'For {aim} we may spend up to {b}.', '{Aim}: the most that may be spent is {b}.', 'The treasurer has approved {b} for {aim}.', 'We have {b} for {aim}, and not a cent beyond it.')
LINE = ('{X} {cost} {m}.', '{X}: {m}.', 'For {x} we pay {m}.', '{m} goes on {x}.', 'Add {m} for {x}.', 'The price of {x} is {m}.', 'Next on the list: {x} at {m}.')
PER = ('{X} {cost} {m} per {head}, and there are {n} {heads}.', 'We count {n} {heads}; {x} {cost} {m} for each.', '{n} {heads} at {m} each for {x}.', '{X}: {m} per {head}, with {n} {heads}.', 'With {n} {heads} and {x} at {m} apiece, work it out.', 'Per {head}, for {x} we pay {m}; the number of {heads} is {n}.')
ADD = ('On top comes a deposit of {m}, which we do not get back.', 'A booking fee of {m} is added to the whole.', 'The bank takes {m} for the transfer.', 'There is also {m} of administration charge.')
OFF = ('{m} is taken off the whole, as we are members.', 'A rebate of {m} lowers the sum.', 'The supplier knocks {m} off the total.', 'We may deduct a voucher of {m}.')
NOT = ('({X} {was} dropped at no cost.)', '{X} {was} on the list at first but {be} no longer needed, so nothing is due.', '{X} would have cost {m}, but {was} cancelled free of charge.', 'We get {x} free of charge.', 'Nothing is charged for {x}.', 'No entry for {x}: that comes free.')
WITHIN = ('The budget for {aim} is kept.', 'Does the money suffice for {aim}?', 'Can everything be paid from the budget?', 'The sum stays within what was approved.', 'Is the total no higher than the budget?', 'No further money has to be found.')
OVER = ('The budget for {aim} is overrun.', 'Does the money fall short for {aim}?', 'Is there too little to pay for everything?', 'The sum goes beyond what was approved.', 'Is the total higher than the budget?', 'Further money has to be found.')


def twin(rng: random.Random) -> Twin:
    s, currency = rng.choice(SETTINGS), rng.choice(CURRENCIES)
    scale = rng.choice([5, 10, 10, 20])
    names = rng.sample(s.lines, rng.randint(2, 4))
    free = names.pop() if len(names) > 2 and rng.random() < .5 else ''
    prices = rng.sample(range(2, 40), len(names))
    base = {name: price * scale for name, price in zip(names, prices, strict=True)}
    per, has_per = rng.choice(s.per), rng.random() < .6
    base |= {'heads': rng.randint(3, 30), 'each': rng.randint(2, 15), 'extra': rng.choice([0, 0, 2, 4, 7, -2, -5, -6]) * scale}
    sum_of = lambda f: sum(f[name] for name in names) + (f['heads'] * f['each'] if has_per else 0) + f['extra']
    changed = dict(base)
    keys = [*names, *(['heads', 'each'] if has_per else []), *(['extra'] if base['extra'] else [])]
    while sum_of(changed) == sum_of(base) or sum_of(changed) < scale:
        changed = dict(base)
        key = rng.choice(keys)
        if key == 'extra':
            changed[key] = -base[key]
        elif key in ('heads', 'each'):
            changed[key] = max(2, base[key] + rng.choice([-3, -2, -1, 1, 2, 3]))
        else:
            changed[key] = max(scale, base[key] + rng.choice([-6, -4, -3, -2, 2, 3, 4, 6]) * scale)
    if sum_of(base) < scale:
        return twin(rng)
    cases = [base, changed] if rng.random() < .5 else [changed, base]
    totals = (sum_of(cases[0]), sum_of(cases[1]))
    # the budget: the smaller total itself, or anything up to the larger one
    budget = rng.choice([min(totals), rng.randrange(min(totals), max(totals)), (sum(totals) // 2)])
    forms = {name: rng.choice(LINE) for name in names}
    forms |= {'budget': rng.choice(BUDGET), 'per': rng.choice(PER), 'free': rng.choice(NOT)}
    extra_form, tabled = rng.randrange(4), rng.random() < .2
    order, budget_last, free_price, title = rng.sample(range(len(names)), len(names)), rng.random() < .4, rng.randint(2, 40) * scale, rng.choice([None, 'Budget', 'Costs', cap(s.aim), 'Note for the treasurer'])

    def render(f: dict[str, int], local: random.Random) -> State:
        say = lambda m: money(local, m, currency)
        fill = lambda form, x='', m=0: form.format(x=x, X=cap(x), m=say(m), b=say(budget), aim=s.aim, Aim=cap(s.aim), head=s.head[0], heads=s.head[1], n=f['heads'], **({'cost': 'cost', 'was': 'were', 'be': 'are'} if x.endswith('s') else {'cost': 'costs', 'was': 'was', 'be': 'is'}))
        lines = [cap(fill(forms[names[k]], names[k], f[names[k]])) for k in order]
        if tabled:
            lines = []
        if has_per:
            lines.insert(local.randrange(len(lines) + 1), cap(fill(forms['per'], per, f['each'])))
        if free:
            lines.insert(local.randrange(len(lines) + 1), cap(fill(forms['free'], free, free_price)))
        if f['extra']:
            lines.append(cap(fill((ADD if f['extra'] > 0 else OFF)[extra_form], '', abs(f['extra']))))
        head = cap(fill(forms['budget']))
        if tabled:
            return '\n'.join([head, table(['item', f'cost ({CURRENCY_WORDS[currency][1]})'], [[names[k].removeprefix('the ').removeprefix('a '), f[names[k]]] for k in order]), *lines])
        return lay_out(local, [*lines, head] if budget_last else [head, *lines], title)

    states = both(render, cases, rng)
    fits = (totals[0] <= budget, totals[1] <= budget)
    fill = lambda forms_: [t.format(aim=s.aim) for t in forms_]
    questions = [polar(rng, fits, fill(WITHIN), fill(OVER), ('the sum is within the budget', 'the sum is beyond the budget'))]
    show = lambda m: f'{currency}{m:,}'
    wrong = [budget, totals[0] + abs(cases[0]['extra']), totals[1] - abs(cases[1]['extra']), totals[0] + scale, totals[1] - scale, totals[0] + (free_price if free else 2 * scale), totals[0] - (cases[0]['heads'] - 1) * cases[0]['each'] if has_per else totals[0] + 3 * scale]
    questions.append(pick(rng, [f'What does {s.aim} cost in all?', 'Total?', 'Taken all together, what is due?', 'How much has to be paid altogether from this money?'], (show(totals[0]), show(totals[1])), [show(m) for m in wrong if m > 0], most=6))
    if rng.random() < .6:
        tell = lambda t: 'nothing left, nothing lacking' if t == budget else f'{show(budget - t)} left' if t < budget else f'{show(t - budget)} lacking'
        questions.append(pick(rng, ['What remains of the budget, or is lacking?', 'Budget against costs:', 'How much is left over or missing in the end?'], (tell(totals[0]), tell(totals[1])), [tell(2 * budget - totals[0]), tell(2 * budget - totals[1]), tell(budget), tell(totals[0] + scale), tell(totals[1] - 2 * scale)], most=6))
    parts = tuple({**{name: f[name] for name in names}, **({per: f['heads'] * f['each']} if has_per else {})} for f in cases)
    top = tuple(max(p, key=p.get) for p in parts)
    unique = all(sorted(p.values())[-1] != sorted(p.values())[-2] for p in parts)
    if unique and top[0] != top[1] and rng.random() < .8:
        questions.append(pick(rng, ['Which line costs most in all?', 'On what is most of the money spent?', 'The largest single amount goes on'], top, [*names, *([per] if has_per else []), *([free] if free else [])], most=6))
    levels = ['less than half of the budget', 'half of it or more, not all', 'exactly all of it', 'more than the budget']
    level = tuple(3 if t > budget else 2 if t == budget else 1 if 2 * t >= budget else 0 for t in totals)
    if level[0] != level[1] and rng.random() < .5:
        questions.append(score(rng.choice([f'How much of the budget does {s.aim} use up?', 'Use of the money set aside:', 'How far does the spending go?']), levels, level))
    return Twin(states, questions)
