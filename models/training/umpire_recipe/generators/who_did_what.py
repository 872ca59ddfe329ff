"""Teaches roles: who did what to whom, in active, passive and cleft wording with the names in either order."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar, without_repeats
from .people import GOODS, firms, people
from .twin import Twin
from .wording import a, cap, lay_out, with_asides


@dataclass(frozen=True)
class Deed:
    """statements and questions with {x} the doer, {y} the other side and {it} the thing; doer and done_to name the two roles in a question."""

    tell: tuple[str, ...]
    ask: tuple[str, ...]
    doer: tuple[str, ...]
    done_to: tuple[str, ...]


DEEDS = [
    Deed(('{x} sold {it} to {y}', '{y} bought {it} from {x}', '{it} was sold to {y} by {x}', '{y} got {it} from {x} for cash', 'it was {x} who sold {y} {it}', '{x} let {y} have {it} for a fair price'), ('{x} was the seller', '{y} paid {x}', '{y} is the new owner', 'the money went to {x}', '{y} made a purchase from {x}'), ('Who was the seller?', 'Who received the money?', 'Who parted with the thing for money?'), ('Who was the buyer?', 'Who paid?', 'Who owns the thing now?')),
    Deed(('{x} lent {it} to {y}', '{y} borrowed {it} from {x}', '{it} was lent to {y} by {x}', '{y} has {it} on loan from {x}', '{x} let {y} use {it} until Friday', 'what {y} is using is on loan from {x}: {it}'), ('{x} is the lender', '{y} has to give it back to {x}', '{y} is the one who borrowed', 'the loan was made by {x}'), ('Who is the lender?', 'To whom must the thing go back?', 'Whose property is the thing?'), ('Who is the borrower?', 'Who has to give something back?', 'Who has the use of it?')),
    Deed(('{x} trained {y}', '{y} learned the job from {x}', '{y} was trained by {x}', '{x} showed {y} the ropes', 'it was {x} who taught {y} the work', '{y} had {x} as a teacher'), ('{x} was the instructor', '{y} was the learner', '{x} passed knowledge on to {y}', '{y} was taught by {x}'), ('Who was the instructor?', 'Who did the teaching?'), ('Who was the learner?', 'Who was taught?')),
    Deed(('{x} complained about {y}', 'a complaint about {y} came from {x}', '{y} was the subject of a complaint by {x}', '{x} wrote to the manager that {y} had been rude', '{x} was unhappy with {y} and put it in writing', 'against {y} there is a complaint, signed {x}'), ('{x} is the complainant', '{y} is the one complained about', 'the complaint is directed at {y}', '{x} found fault with {y}'), ('Who made the complaint?', 'Who found fault with somebody?'), ('Whom is the complaint about?', 'Who is accused of something?')),
    Deed(('{x} reported {y} to the auditor', '{y} was reported to the auditor by {x}', "the auditor heard of {y} through {x}", 'it was {x} who gave the auditor the name of {y}', 'the tip about {y} came from {x}', 'acting on what {x} said, the auditor looked into {y}'), ('{x} was the informant', '{y} is under investigation', 'the auditor acted on the word of {x}', 'the suspicion fell on {y}'), ('Who was the informant?', 'Who tipped somebody off?'), ('Who is under suspicion?', 'Who was reported?')),
    Deed(('{x} beat {y} in the final', '{y} lost the final to {x}', '{y} was beaten by {x} in the final', 'the final ended with {y} congratulating {x} on the title', '{x} was too strong for {y} in the final', 'in the final {y} had to give in to {x}'), ('{x} won the title', '{y} was the loser of the final', '{x} came out ahead of {y}', '{y} finished second'), ('Who won?', 'Who took the title?', 'Who was the champion?'), ('Who lost?', 'Who was the runner-up?')),
    Deed(('{x} invoiced {y} for {it}', '{y} received a bill for {it} from {x}', '{y} was billed by {x} for {it}', '{x} asked {y} to pay for {it}', 'the bill for {it} went from {x} to {y}', 'what {y} owes {x} is the price of {it}'), ('{x} is waiting for the money', '{y} is the debtor', '{y} owes {x}', '{x} is the creditor'), ('Who is the creditor?', 'Who sent the bill?', 'Who is owed money?'), ('Who is the debtor?', 'Who has to pay?', 'Who got the bill?')),
    Deed(('{x} rescued {y} from the water', '{y} was pulled from the water by {x}', '{y} owes being alive to {x}', 'it was {x} who got {y} out of the water', 'had {x} not jumped in, {y} would have drowned', 'from the water {y} was brought ashore by {x}'), ('{x} saved a life', '{y} was in danger', '{x} was the rescuer', '{y} needed help'), ('Who was the rescuer?', 'Who saved somebody?'), ('Who was in danger?', 'Who was saved?')),
    Deed(('{x} hired {y}', '{y} was taken on by {x}', '{y} went to work for {x}', '{x} gave {y} a job', '{y} got a contract of employment from {x}', 'the job offer {x} made was accepted by {y}'), ('{x} is the employer', '{y} is the employee', "{y} is on {x}'s payroll", '{y} works for {x}'), ('Who is the employer?', 'Who pays the wages?'), ('Who is the employee?', 'Who earns a wage from the other?')),
    Deed(('{x} is to replace {y} on the night shift', '{y} hands the night shift over to {x}', '{y} will be replaced by {x} on the night shift', 'the night shift passes from {y} to {x}', '{x} takes over the night shift from {y}', 'for the night shift {x} steps in for {y}'), ('{x} will work the night shift', '{y} is freed of the night shift', '{y} gives the night shift up', '{x} comes in for {y}'), ('Who will be on the night shift?', 'Who steps in?'), ('Who is relieved of the shift?', 'Who gives the shift up?')),
]
TITLES = (None, None, 'Minutes', 'From the diary', 'Case file', 'News in brief', 'Statement', 'Notes for HR', 'Handover')
NOISE = ('{z} only watched.', '{z} was told later.', 'Asked about it, {z} had nothing to add.', '{z} took the minutes.', 'At that time {z} was on leave.', '{z} had no part in it.', 'The papers lie with {z}.', 'All this was confirmed by {z}.')
WRAPS = ('{s}.', 'Last week {s}.', 'As far as we know, {s}.', 'Everybody agrees on one thing: {s}.', 'The file says that {s}.', 'In {month} {s}.', 'It is on record that {s}.', 'To sum up, {s}.')

PRESENT = (' has ', ' is ', ' will ', ' hands ', ' owes ', ' takes ', ' passes ', ' steps ')


def wrapped(wrap: str, clause: str, month: str) -> str:
    """The clause as a sentence; a past date is left out where the clause is in the present."""
    if ('Last week' in wrap or 'month' in wrap) and any(word in clause for word in PRESENT):
        wrap = '{s}.'
    return cap(wrap.format(s=clause, month=month))


def twin(rng: random.Random) -> Twin:
    deed = rng.choice(DEEDS)
    persons = [p.name for p in people(rng, 5)]
    persons_are_firms = deed in (DEEDS[0], DEEDS[1], DEEDS[6]) and rng.random() < .3
    if persons_are_firms:
        persons = firms(rng, 5)
    x, y, z, u, v = persons
    it = a(rng.choice(GOODS).one)
    things = (DEEDS[0], DEEDS[1], DEEDS[6])  # deeds with a thing: two of them in one text would make 'the thing' unclear
    second = rng.choice([d for d in DEEDS if d is not deed and not (d in things and deed in things)]) if rng.random() < .5 else None  # another deed, between others, to tempt
    form, wrap, wrap2 = rng.randrange(6), rng.choice(WRAPS), rng.choice(WRAPS)
    # the same wording with the two swapped, or another wording with the names in the same places
    mirror = rng.random() < .5
    second_form, month = rng.randrange(6), rng.choice(['March', 'May', 'October', 'January'])
    noise, title = rng.sample(NOISE[-3:] if persons_are_firms else NOISE, rng.randint(0 if second else 1, 2)), rng.choice(TITLES)
    pair = (u, rng.choice([x, y, v]))
    pair = pair if rng.random() < .5 else pair[::-1]
    other_form = rng.randrange(6) if mirror else form
    seconds = (form, other_form)

    def render(case: tuple[str, str, int], local: random.Random) -> object:
        doer, other, number = case
        told = [wrapped(wrap, deed.tell[number].format(x=doer, y=other, it=it), month)]
        if second:
            told.append(wrapped(wrap2, second.tell[second_form].format(x=pair[0], y=pair[1], it=it2), 'April'))
        told += [form_.format(z=z) for form_ in noise]
        local.shuffle(told)
        return lay_out(local, with_asides(local, told), title)

    it2 = a(rng.choice(GOODS).one)
    states = both(render, [(x, y, seconds[0]), (y, x, seconds[1])], rng)
    # ask of the true direction in the first state: 'x is the seller' holds in state one only
    plain = lambda p, q: [w for f in deed.ask for s in [f.format(x=p, y=q)] for w in (f'{cap(s)}.', f'Is it true that {s}?', f'From the text, {s}.')]
    flip = rng.random() < .5
    truth = (not flip, flip)
    p, q = (y, x) if flip else (x, y)
    questions = [polar(rng, truth, plain(p, q), plain(q, p))]
    roles = rng.sample([(deed.doer, (x, y)), (deed.done_to, (y, x))], rng.choice([1, 1, 2]))
    for forms_, right in roles:
        # only the deed asked about has these roles, so the others are wrong
        questions.append(pick(rng, forms_, right, [z, *pair] if noise or second else [z], most=5) if noise or second else pick(rng, forms_, right, [], most=2, fixed=True))
    if rng.random() < .6:
        tell = rng.choice(deed.tell)
        lines = {name: cap(tell.format(x=one, y=two, it=it)) + '.' for name, (one, two) in {'first': (x, y), 'second': (y, x)}.items()}
        extra = [cap(tell.format(x=one, y=two, it=it)) + '.' for one, two in ((z, x), (y, z))]
        questions.append(pick(rng, ['Which sentence is true of the text?', 'Which statement fits?', 'Pick the sentence that says the same as the text.'], (lines['first'], lines['second']), extra, most=4, opaque=.8, fixed=True))
    if second and rng.random() < .3:
        questions.append(polar(rng, truth, plain(p, q)[-6:], plain(q, p)[-6:]))
    return Twin(states, without_repeats(questions))
