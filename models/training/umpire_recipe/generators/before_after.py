"""Teaches the order of events told out of order: before, after, until, once, by dates, by clock and by 'which followed'."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .people import people
from .twin import Twin
from .wording import cap, clock, lay_out, with_asides, words


@dataclass(frozen=True)
class Event:
    """past: a clause in the past tense; noun: the event as a thing."""

    past: str
    noun: str


E = Event
SETTINGS = {
    'Deploy log': [E('the cache was cleared', 'the clearing of the cache'), E('the new build went live', 'the release of the new build'), E('the database was migrated', 'the database migration'), E('the alert fired', 'the alert'), E('the config was rolled back', 'the rollback'), E('traffic doubled', 'the jump in traffic'), E('the node restarted', 'the restart of the node'), E('the certificate expired', 'the expiry of the certificate')],
    'Claim file': [E('the pipe burst', 'the burst pipe'), E('the tenant moved out', "the tenant's departure"), E('the surveyor called', "the surveyor's visit"), E('the policy was renewed', 'the renewal of the policy'), E('the floor was replaced', 'the replacement of the floor'), E('the claim was filed', 'the filing of the claim'), E('the landlord was told', 'the notice to the landlord'), E('the deposit was paid back', 'the return of the deposit')],
    'Ward notes': [E('{who} was given the antibiotic', 'the antibiotic'), E('the fever rose', 'the rise in fever'), E('the blood sample was drawn', 'the blood test'), E('the rash appeared', 'the rash'), E('the dressing was changed', 'the change of dressing'), E('the X-ray was taken', 'the X-ray'), E('{who} had breakfast', 'breakfast'), E('the family visited', "the family's visit")],
    'School trip': [E('the bus broke down', 'the breakdown of the bus'), E('{who} lost the tickets', 'the loss of the tickets'), E('the class had lunch', 'lunch'), E('it began to rain', 'the start of the rain'), E('the group saw the castle', 'the castle tour'), E('the parents were phoned', 'the call to the parents'), E('the guide arrived', "the guide's arrival"), E('the photo was taken', 'the group photo')],
    'Match report': [E('{who} scored', "{who}'s goal"), E('the referee showed a red card', 'the red card'), E('the captain went off injured', "the captain's injury"), E('the floodlights failed', 'the failure of the lights'), E('the visitors equalised', 'the equaliser'), E('the penalty was saved', 'the saved penalty'), E('the coach was sent to the stands', "the coach's dismissal"), E('the substitute came on', 'the substitution')],
    'Shipment': [E('the container was sealed', 'the sealing of the container'), E('customs took a sample', 'the customs check'), E('the invoice was paid', 'the payment of the invoice'), E('the ship left port', 'the departure of the ship'), E('the buyer changed the address', 'the change of address'), E('the label was printed', 'the printing of the label'), E('the pallet was weighed', 'the weighing of the pallet'), E('the crane broke', 'the crane failure')],
    'Hiring': [E('the second interview was held', 'the second interview'), E('{who} sent the references', 'the references'), E('the salary was agreed', 'the agreement on salary'), E('the post was advertised again', 'the second advertisement'), E('the contract was drawn up', 'the drawing up of the contract'), E('the test task was returned', 'the return of the test task'), E('the manager went on leave', "the start of the manager's leave"), E('another candidate withdrew', 'the withdrawal of another candidate')],
    'House move': [E('the keys were handed over', 'the handover of the keys'), E('the piano was carried up', 'the moving of the piano'), E('the power was switched on', 'the switching on of the power'), E('{who} painted the kitchen', 'the painting of the kitchen'), E('the neighbour complained', "the neighbour's complaint"), E('the van was returned', 'the return of the van'), E('the boxes were unpacked', 'the unpacking'), E('the lift got stuck', 'the stuck lift')],
}
# two events in order: {x} first, {y} later; lower case, no full stop
RELATIVE = ('{x} before {y}', '{y} after {x}', 'first {x}, and then {y}', '{x}; later {y}', '{y}, but not until {x}', '{x}, and it was afterwards that {y}', 'when {y}, it had been a while since {x}', 'before {y}, {x}', 'after {x}, {y}')
TIMED = ('at {t} {x}', '{x} at {t}', '{t}: {x}', '{x}; the clock said {t}', 'it was {t} when {x}', '{t} - {x}')
EARLIER = ('{X} came before {y}.', 'Did {x} happen earlier than {y}?', '{Y} came after {x}.', 'Was {x} earlier than {y}?', 'Of the two, {x} was first and {y} second.', 'Had {x} already taken place at the time of {y}?', 'Did {y} follow {x}?')
LATER = ('{X} came after {y}.', 'Did {x} happen later than {y}?', '{Y} came before {x}.', 'Was {x} later than {y}?', 'Of the two, {y} was first and {x} second.', 'Had {y} already taken place at the time of {x}?', 'Did {x} follow {y}?')


def twin(rng: random.Random) -> Twin:
    title = rng.choice(list(SETTINGS))
    who = people(rng, 1)[0].name
    events = [Event(e.past.format(who=who), e.noun.format(who=who)) for e in rng.sample(SETTINGS[title], rng.randint(3, 5))]
    # the second order: two neighbours swapped (or one event moved to the other end)
    order = list(range(len(events)))
    i = rng.randrange(len(order) - 1)
    other = [*order]
    other[i], other[i + 1] = other[i + 1], other[i]
    orders = [order, other] if rng.random() < .5 else [other, order]
    style = rng.choice(['timed', 'relative', 'relative', 'log'])
    start, steps = rng.randrange(360, 780, 5), [rng.randrange(5, 95, 5) for _ in order]
    forms, tell_order = [rng.choice(RELATIVE) for _ in order], rng.sample(range(len(order)), len(order))
    timed_form = rng.choice(TIMED)

    def render(sequence: list[int], local: random.Random) -> object:
        if style == 'relative':  # every neighbouring pair, told in any order, so that the whole order follows
            pairs = [cap(forms[k].format(x=events[sequence[k]].past, y=events[sequence[k + 1]].past)) + '.' for k in tell_order if k < len(sequence) - 1]
            return lay_out(local, with_asides(local, pairs, 1), title)
        times = [start + sum(steps[:k]) for k in range(len(sequence))]
        at = {event: times[k] for k, event in enumerate(sequence)}
        told = sorted(range(len(sequence)), key=lambda event: tell_order.index(event))
        if style == 'log':
            return [{'time': f'{at[e] // 60:02d}:{at[e] % 60:02d}', 'event': events[e].past} for e in told] if local.random() < .4 else '\n'.join(f'{at[e] // 60:02d}:{at[e] % 60:02d} {events[e].past}' for e in told)
        return lay_out(local, [cap(timed_form.format(t=clock(local, at[e]), x=events[e].past)) + '.' for e in told], title)

    states = both(render, orders, rng)
    x, y = (i, i + 1) if rng.random() < .5 else (i + 1, i)
    before = lambda p, q: (orders[0].index(p) < orders[0].index(q), orders[1].index(p) < orders[1].index(q))
    ask = lambda forms_, p, q: [f.format(x=events[p].noun, y=events[q].noun, X=cap(events[p].noun), Y=cap(events[q].noun)) for f in forms_]
    questions = [polar(rng, before(x, y), ask(EARLIER, x, y), ask(LATER, x, y))]
    nouns = [e.noun for e in events]
    first, last = tuple(nouns[o[0]] for o in orders), tuple(nouns[o[-1]] for o in orders)
    second = tuple(nouns[o[1]] for o in orders)
    asked = [(['What happened first?', 'Which of these came at the very beginning?', 'Earliest event:', 'Before everything else came'], first), (['What happened last?', 'Which came at the very end?', 'Latest event:', 'All the rest had come before'], last),
             (['What was the second thing to happen?', 'Second in order of time:', 'Exactly one event preceded'], second)]
    telling = [entry for entry in asked if entry[1][0] != entry[1][1]]
    if telling:
        forms_, right = rng.choice(telling)
        questions.append(pick(rng, forms_, right, nouns, most=5, fixed=True))
    if not telling or rng.random() < .5:  # who comes right before or after the pair
        following = tuple(nouns[o[o.index(x) + 1]] if o.index(x) + 1 < len(o) else 'nothing that is told here' for o in orders)
        questions.append(pick(rng, [f'What came next after {nouns[x]}?', f'Right after {nouns[x]} came', f'The next thing following {nouns[x]} was'], following, [n for k, n in enumerate(nouns) if k != x] + ['nothing that is told here'], most=6, fixed=True))
    if rng.random() < .5:
        position = tuple(o.index(x) for o in orders)
        questions.append(pick(rng, [f'How many of the events told came before {nouns[x]}?', f'Number of events ahead of {nouns[x]}'], (words(position[0]), words(position[1])), [words(k) for k in range(len(nouns))], most=5, fixed=True))
    if style != 'relative' and rng.random() < .6:
        point = start + sum(steps[:i + 1])  # the later of the two places that the swapped events take
        questions.append(polar(rng, tuple(o.index(x) <= i for o in orders), [f'{cap(nouns[x])} came before {clock(rng, point)}.', f'By {clock(rng, point - 1)}, was {nouns[x]} a thing of the past?'], [f'{cap(nouns[x])} came at {clock(rng, point)} or later.', f'Before {clock(rng, point)}, was {nouns[x]} still to come?']))
    return Twin(states, questions)
