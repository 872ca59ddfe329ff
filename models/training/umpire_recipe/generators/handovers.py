"""Teaches who has a task or thing now after handovers: passed on, offered but declined, lent and given back, covered for a while."""
import random

from .asking import both, described, pick, polar
from .people import Person, people
from .shapes import capital, fill, filled, layout, made, padded
from .twin import State, Twin, score
from .wording import WEEKDAYS

# tasks and things
OBJECTS = ['the Hansen file', 'ticket 4412', 'the care of bed 6', 'the newsletter', 'class 6c', 'the account of Orbis', 'the translation of the leaflet', 'the planning of the summer party', 'the night rota', 'the audit',
           'the master key', 'the company van', 'the duty phone', 'the club trophy', 'the petty cash', 'the good camera', 'the visitor badge', 'the old violin', 'the spare laptop', 'the tent']
BEGINS = ['{p} had {x} at first.', 'in the beginning {x} was with {p}.', '{x} was first given to {p}.', 'at the start of the week {p} was holding {x}.', 'it was {p} who had {x} to begin with.', '{x} started out with {p}.']
PASSES = ['on {d} {p} handed {x} over to {q}.', '{q} took {x} from {p} on {d}.', 'since {d}, {q} has had {x}, which came from {p}.', '{p} passed {x} on to {q} on {d}.', '{d}: {x} goes from {p} to {q}.', 'on {d} {q} relieved {p} of {x}.', '{p} gave {x} to {q} on {d}.']
OFFERS = ['on {d} {p} wanted to hand {x} over to {r}, but {r} declined.', '{r} was asked on {d} to take {x} and said no.', '{d}: {p} offers {x} to {r}; {r} has no time, so it stays where it is.', 'on {d} {r} almost took {x}, then backed out.', '{r} had been meant to get {x} on {d}, but that fell through.',
          'on {d} {p} asked {r} about taking {x}, in vain.']
ACCEPTS = ['on {d} {p} wanted to hand {x} over to {r}, and {r} agreed and took it.', '{r} was asked on {d} to take {x} and did so.', '{d}: {p} offers {x} to {r}; {r} has time, so it changes hands.', 'on {d} {r} took {x}, after all.', '{r} had been meant to get {x} on {d}, and that went as planned.',
           'on {d} {p} asked {r} about taking {x}, with success, and it is done.']
RETURNS = ['on {d} {q} gave {x} back to {p}.', '{d}: {x} returns from {q} to {p}.', 'on {d} {p} got {x} back from {q}.', '{q} was done on {d} and returned {x} to {p}.']
KEEPS = ['on {d} {q} told {p} that it would take longer with {x}.', '{d}: {x} not back with {p} yet, {q} needs it longer.', 'on {d} {p} asked {q} for {x} and was put off until later.', '{q} was not done on {d} and did not return {x} to {p}.']
FATES = {'has it': 'got it and has it in the end', 'refused it': 'was offered it and did not take it', 'gave it back': 'had it and returned it'}
HAS = ['Does {p} have {x} now?', '{x} is with {p}.', 'Is {p} the one to ask for {x} today?', 'At present {x} is in the hands of {p}.', '{p} has {x} at the end of the week.', 'Should a question about {x} go to {p}?']
HAS_NOT = ['Is {x} with somebody other than {p} now?', '{p} does not have {x} at the end.', 'Would one ask {p} for {x} in vain today?', '{x} is out of the hands of {p}, or never was in them.', 'Would it be wrong to send questions about {x} to {p}?', 'By the end of the week {x} is not with {p}.']


def twin(rng: random.Random) -> Twin:
    thing = rng.choice(OBJECTS)
    staff = people(rng, 4)
    kind = rng.choice(['offer', 'return', 'chain'])
    days = sorted(rng.sample(range(5), 3))

    def render(flipped: bool, draw: random.Random) -> State:
        a, b, c, d = staff
        if kind == 'chain' and flipped:
            b, c = c, b
        names = [WEEKDAYS[day] for day in days]
        facts = [fill(draw, BEGINS, p=a.name, x=thing), fill(draw, PASSES, p=a.name, q=b.name, x=thing, d=names[0])]
        if kind == 'chain':
            facts.append(fill(draw, PASSES, p=b.name, q=c.name, x=thing, d=names[1]))
            if draw.random() < 0.5:
                facts.append(fill(draw, OFFERS, p=c.name, r=d.name, x=thing, d=names[2]))
        elif kind == 'offer':
            pair = draw.randrange(len(OFFERS))
            facts.append(fill(draw, [(OFFERS if flipped else ACCEPTS)[pair]], p=b.name, r=c.name, x=thing, d=names[1]))
        else:
            pair = draw.randrange(len(RETURNS))
            facts.append(fill(draw, [(KEEPS if flipped else RETURNS)[pair]], p=a.name, q=b.name, x=thing, d=names[1]))
            if draw.random() < 0.5:
                facts.insert(1, fill(draw, ['{r} had asked for {x} too, without success.', '{r} knows {x} well but has been away for months.', '{r} only asked how {x} was doing.'], r=d.name, x=thing))
        shape = draw.random()
        if shape < 0.15:
            return {'about': thing, 'entries': facts}
        if shape < 0.3:
            return [{'entry': i, 'note': text} for i, text in enumerate(facts, 1)]
        return layout(draw, padded(draw, facts, 2), capital(thing), mix=False)

    a, b, c, d = staff
    holders: tuple[Person, Person] = {'chain': (c, b), 'offer': (c, b), 'return': (a, b)}[kind]
    names = [one.name for one in staff]
    questions = []
    for who in holders:
        holds = (holders[0] is who, holders[1] is who)
        questions.append(polar(rng, holds, filled(HAS, p=who.name, x=thing), filled(HAS_NOT, p=who.name, x=thing), ('it is with this person after the last handover', 'it is with somebody else')))
    questions.append(pick(rng, filled(['Who has {x} now?', 'With whom is {x} at the end of the week?', 'A question about {x}: whom should one call?', '{x}: present holder?', 'In whose hands is {x}?', 'Where did {x} end up?'], x=thing), (holders[0].name, holders[1].name), names))
    count = {'chain': (2, 2), 'offer': (2, 1), 'return': (2, 1)}[kind]
    if count[0] != count[1]:
        questions.append(score(rng.choice(filled(['After the start, how often did {x} really change hands?', 'Number of handovers of {x} that took place after the start:'], x=thing)), ['once', 'twice'], (count[0] - 1, count[1] - 1)))
    if kind == 'chain':
        questions.append(pick(rng, filled(['Who had {x} just before the present holder?', 'From whom did the present holder get {x}?', 'Who got {x} directly from {p}?'], x=thing, p=a.name), (b.name, c.name), names))
        questions.append(polar(rng, (True, False), filled(['Did {x} go from {b} to {c}?', '{c} got {x} through {b}.', '{b} had {x} earlier than {c}.'], b=b.name, c=c.name, x=thing), filled(['Did {x} go from {c} to {b}?', '{b} got {x} through {c}.', '{c} had {x} earlier than {b}.'], b=b.name, c=c.name, x=thing)))
    elif kind == 'offer':
        questions.append(described(rng, [f'What came of the attempt to give {thing} to {c.name}?', f'{c.name} and {thing}:'], FATES, ('has it', 'refused it')))
    else:
        questions.append(described(rng, [f'What became of {thing} with {b.name}?', f'{b.name} and {thing}: what fits in the end?', f'{b.name} and {thing}:'], FATES, ('gave it back', 'has it')))
        questions.append(polar(rng, (True, False), filled(['Has {x} been returned?', '{p} got {x} back.', 'Is {q} through with {x}?'], p=a.name, q=b.name, x=thing), filled(['Is {p} still waiting for {x}?', '{q} has not returned {x}.', '{q} is not finished with {x}.'], p=a.name, q=b.name, x=thing)))
    return made(rng, both(render, (False, True), rng), questions)
