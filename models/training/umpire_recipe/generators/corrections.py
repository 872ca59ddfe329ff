"""Teaches that a later message corrects an earlier one, unless the correction concerns something else or is itself taken back."""
import random

from .asking import both, described, pick, polar
from .people import CITIES, firm, people
from .shapes import aside, capital, fill, filled, made
from .twin import State, Twin
from .wording import WEEKDAYS, clock, words

# setting: things with the kind of their value
KINDS: dict[str, list[list[str]]] = {
    'time': [['the start of the staff meeting', 'the departure of the coach', 'the beginning of surgery hours', 'the kick-off', 'the deadline today', 'the time of the delivery', 'the start of the guided tour', 'the start of the parents\' evening', 'the start of the maintenance window']],
    'day': [['the day of the inspection', 'the day of the exam', 'the day of the rehearsal', 'the collection day for paper', 'the day of the handover', 'the day of the dental check', 'the day of the board meeting', 'the day of the removal']],
    'city': [['the place of the training course', 'the destination of parcel 7', 'the venue of the trade fair', 'the place of the new warehouse', 'the place of the interview', 'the place of the away match', 'the port of loading', 'the meeting point of the group']],
    'amount': [['the number of guests', 'the number of chairs', 'the number of toner cartridges', 'the number of rooms', 'the number of tickets', 'the headcount for lunch', 'the dose in drops', 'the number of pallets']],
    'person': [['the contact for visitors', 'the speaker on Friday', 'the person on duty', 'the reviewer of the draft', 'the driver of van 2', 'the substitute in class 5a', 'the signatory of the lease', 'the trainer this week']],
}
SAYS = ['{t}: {v}.', '{t} is {v}.', 'please note that {t} is {v}.', 'for your diaries: {t} is {v}.', '{v} it is ({t}).', 'regarding {t}: it is {v}.', 'we have fixed {t}: {v}.']
CORRECTS = ['correction: {t} is {v}, not what I wrote.', 'sorry, I got that wrong. {t} is {v}.', 'please forget my last message on that: {t} is {v}.', 'I mixed something up earlier; {t} is {v}.', 'new information on {t}: {v} after all.', '{t} has changed. It is {v} now.', 'update: {t} is {v}. Everything else stays.', 'oops, typo above. {v} is right for {t}.']
RETRACTS = ['ignore my correction, the first version was right.', 'I take that back: what I wrote at first stands.', 'forget the change. It stays as first announced.', 'false alarm, the original information holds after all.', 'sorry again: no change, the first message was correct.', 'please undo the change; all is as it was in the beginning.']
CONFIRMS = ['that is all from me.', 'and that is final now.', 'please make sure everybody knows.', 'I have told the others.', 'this time I have double-checked it.', 'sorry for the confusion, it will not happen again.']
CHANGES = {'changed once': 'corrected, and the correction stands', 'changed and changed back': 'corrected, then restored', 'never changed': 'no correction at all'}
VALID = ['Is {v} what holds for {t} now?', '{t}: in the end, {v}.', 'One should go by {v} as regards {t}.', 'Someone who notes {v} for {t} has it right.', 'Is {v} the valid information on {t}?', 'As things stand, {t} is {v}.', 'Does {v} stand as {t}?']
INVALID = ['Is {v} wrong or outdated for {t}?', '{v} does not hold for {t}.', 'Someone who notes {v} for {t} has it wrong.', 'Would it be a mistake to go by {v} as regards {t}?', '{t} is something other than {v}, as things stand.', 'Is {v} not what applies to {t} in the end?']


def values_of(rng: random.Random, kind: str, count: int) -> list[str]:
    if kind == 'time':
        return [clock(rng, minutes, 0.3) for minutes in rng.sample(range(7 * 60, 20 * 60, 15), count)]
    if kind == 'amount':
        return [words(n) if rng.random() < 0.5 else str(n) for n in rng.sample(range(3, 60), count)]
    if kind == 'person':
        return [one.name for one in people(rng, count)]
    return rng.sample(WEEKDAYS if kind == 'day' else CITIES, count)


def twin(rng: random.Random) -> Twin:
    kind = rng.choice(list(KINDS))
    thing, thing_2 = rng.sample(KINDS[kind][0], 2)
    old, new, other, stray = values_of(rng, kind, 4)
    change = rng.choice(['target', 'retract', 'order'])
    writers = [one.name for one in people(rng, 2)] if kind != 'person' else [firm(rng) + ' office', 'Front desk']
    shape = rng.randrange(4)

    def render(flipped: bool, draw: random.Random) -> State:
        says = [fill(draw, SAYS, t=thing, v=new if change == 'order' and flipped else old), fill(draw, SAYS, t=thing_2, v=other)]
        draw.shuffle(says)
        # target: the correction concerns the one thing or the other. order: the values change places. retract: the correction is taken back or not.
        target, value = (thing_2, new) if change == 'target' and flipped else (thing, old if change == 'order' and flipped else new)
        lines = [*says, *([aside(draw)] * draw.randint(0, 1)), fill(draw, CORRECTS, t=target, v=value), *([aside(draw)] * draw.randint(0, 1))]
        end, stays = draw.choice(RETRACTS), draw.choice(CONFIRMS)
        if change == 'retract':
            lines.append(capital(end if flipped else stays))
        elif draw.random() < 0.5:
            lines.append(capital(stays))
        minute = draw.randint(480, 900)
        stamps = [f'{(minute + 17 * i) // 60:02d}:{(minute + 17 * i) % 60:02d}' for i in range(len(lines))]
        if shape == 0:
            return [{'from': writers[0], 'at': stamp, 'text': line} for stamp, line in zip(stamps, lines)]
        if shape == 1:
            return '\n'.join(f'[{stamp}] {writers[0]}: {line}' for stamp, line in zip(stamps, lines))
        if shape == 2:
            return f'{writers[0]} wrote to {writers[1]}: ' + ' '.join(f'"{line}"' for line in lines)
        return '\n---\n'.join(f'Message {i}\n{line}' for i, line in enumerate(lines, 1))

    valid = {'target': (new, old), 'retract': (new, old), 'order': (new, old)}[change]  # what holds for the thing in each world
    questions = []
    for value, holds in ((new, (True, False)), (old, (False, True))):
        questions.append(polar(rng, holds, filled(VALID, t=thing, v=value), filled(INVALID, t=thing, v=value), ('the value named is the one that holds after all messages', 'after all messages another value holds')))
    ways = ['What is right in the end for {t}?', '{t}: which information holds?', 'Going by all messages, what holds for {t}?', 'Final value for {t}?', 'What should the diary say about {t}?']
    questions.append(pick(rng, filled(ways, t=thing), valid, [other, stray]))
    if change == 'target':
        questions.append(pick(rng, filled(ways, t=thing_2), (other, new), [old, stray]))
        questions.append(described(rng, [f'How often did the information on {thing} change?', f'What became of {thing}?'], CHANGES, ('changed once', 'never changed')))
        questions.append(pick(rng, ['What does the correction concern?', 'Which of these was corrected?', 'Which information was changed afterwards?'], (thing, thing_2), [name for name in KINDS[kind][0] if name not in (thing, thing_2)][:2]))
    elif change == 'retract':
        questions.append(polar(rng, (True, False), ['Does the correction stand?', 'The change still applies at the end.', 'The first version is out of date.', 'Has the first information been replaced for good?'], ['Was the correction taken back?', 'The first version applies again.', 'Does the first information hold after all?', 'The change was undone.']))
        questions.append(described(rng, [f'How often did the information on {thing} change?', f'What became of {thing}?'], CHANGES, ('changed once', 'changed and changed back')))
    else:
        questions.append(pick(rng, filled(['What was first announced for {t}?', 'What did the corrected message say about {t}?', 'Which value for {t} was replaced?'], t=thing), (old, new), [other, stray]))
    return made(rng, both(render, (False, True), rng), questions)
