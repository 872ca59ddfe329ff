"""Teaches a mail thread: the newest mail counts, the quoted older ones tell what was said before, and by whom."""
import datetime
import random
from collections.abc import Sequence

from .asking import both, described, pick, polar
from .people import CITIES, GOODS, Person, people
from .shapes import capital, filled, made
from .twin import State, Twin
from .wording import WEEKDAYS, count, some_date

# what a writer may want: key -> (description, ways to write it)
INTENTS: dict[str, tuple[str, list[str]]] = {
    'refund': ('wants the money back', ['please pay the money back to my account.', 'I would like my money back.', 'kindly transfer what I paid back to me.', 'just return the amount to my card, please.']),
    'replacement': ('wants another one of the same', ['please send me another one that works.', 'could you ship a new one instead?', 'I would like to have it exchanged for a sound one.', 'a fresh one would solve it for me.']),
    'repair': ('wants it mended', ['could someone mend it?', 'please have it fixed.', 'I would rather you repaired it.', 'can your workshop get it going again?']),
    'cancellation': ('wants to end the contract or order', ['please cancel everything.', 'I am giving notice as of today.', 'I no longer want it, kindly call the order off.', 'please end the contract.']),
    'information': ('only asks a question', ['how long does the battery last, by the way? That is all I want to know.', 'I only want to know how to clean it.', 'my one question: does it also come in blue?', 'could you merely tell me what it weighs?']),
    'address change': ('wants it sent elsewhere', ['please send it to my office rather than to my flat.', 'I have moved, so the parcel should go to the new place.', 'kindly deliver it to my neighbour.', 'the delivery should go to another street: Mill Lane 4.']),
    'praise': ('is pleased and wants nothing', ['just a word of thanks, I am delighted.', 'no request this time: well done, all of you.', 'I only want to say how happy I am with it.', 'it is wonderful, and I need nothing more.']),
    'later date': ('wants it to come at a later time', ['could it come two weeks later?', 'please hold it back until the end of the month.', 'I am away, so kindly deliver it after my holiday.', 'there is no hurry: send it next month rather than now.']),
}
GREET, CLOSE = ['Hello,', 'Dear team,', 'Hi,', 'Good morning,', 'Dear all,', 'Hi there,'], ['Best, {}', 'Regards, {}', '{}', 'Kind regards\n{}', 'Thanks\n{}', 'Yours, {}']
SHIFT = ['I have changed my mind: ', 'after some thought: ', 'forget what I wrote below; ', 'things have moved on here, so: ', 'a new turn: ', 'contrary to my last mail: ']
WANTS = ['Is it so today that {p} {x}?', 'By the newest mail, {p} {x}.', 'As things stand, {p} {x}.', 'The note to act on reads: {p} {x}.', 'The present position: {p} {x}.']
WANTED = ['Is this out of date or never the case: {p} {x}?', 'It is no longer so that {p} {x}.', 'Would it be wrong to act as if {p} {x}?', 'It would be a mistake to note down that {p} {x}.']


def thread(draw: random.Random, mails: Sequence[tuple[Person, datetime.date, str]], shape: int) -> State:
    """The mails, given oldest first, as one text with quotes, as a list, or as a list with the newest first."""
    full = [(who, date, draw.choice(GREET), text, draw.choice(CLOSE).format(who.name)) for who, date, text in mails]
    if shape < 2:
        text = ''
        for i, (who, _, greet, body, close) in enumerate(full):
            quoted = '\n'.join('> ' + line for line in text.split('\n'))
            text = f'{greet}\n{body}\n{close}'
            if i:  # the mail before, with all it quotes
                text += f"\n\nOn {full[i - 1][1].day} {full[i - 1][1].strftime('%B')}, {full[i - 1][0].name} wrote:\n{quoted}"
        return text
    listed = [{'from': who.name, 'date': date.isoformat(), 'body': body} for who, date, _, body, _ in full]
    return listed if shape == 2 else listed[::-1] if shape == 3 else {'subject': draw.choice(['your order', 'our purchase', 'question', 'Re: Re: order', 'case 8112']), 'thread': listed[::-1]}


def twin(rng: random.Random) -> Twin:
    """A customer's older wish and newest wish (or value) change places between the worlds; the firm's mail lies between them."""
    client, agent = people(rng, 2)
    item = rng.choice(GOODS).one
    start = some_date(rng)
    dates = [start, start + datetime.timedelta(days=rng.randint(1, 4)), start + datetime.timedelta(days=rng.randint(5, 20))]
    shape = rng.randrange(5)
    if rng.random() < 0.6:
        old, new, third, fourth = rng.sample(list(INTENTS), 4)
        say = {key: rng.choice(INTENTS[key][1]) for key in (old, new)}
        meaning = {key: INTENTS[key][0] for key in (old, new, third, fourth)}
        about = rng.choice([f'about the {item} I ordered:', f'I am writing about the {item}:', f'on the subject of my {item}:', f'a word on the {item}:'])
        ways = ['What does {p} want now?', 'Which request should be acted on?', 'Newest request of {p}?', 'How should the case be labelled today?', 'What is the present wish of {p}?']
        old_ways = ['What had {p} wanted at first?', 'First request of {p}?', 'Which request is out of date?', 'What did {p} want before the change of mind?']
    else:
        kind = rng.choice(['number', 'day', 'city'])
        if kind == 'number':
            values = [count(rng, n, 'piece', 'pieces') for n in rng.sample(range(2, 40), 4)]
            forms, about, noun = ['we need {}.', 'please make it {}.', '{} would be right.'], f'the quantity ({item}):', 'quantity'
        elif kind == 'day':
            values, forms, about, noun = rng.sample(WEEKDAYS, 4), ['{} would suit us for the delivery.', 'please deliver on {}.', 'let it be {}.'], f'the delivery day ({item}):', 'delivery day'
        else:
            values, forms, about, noun = rng.sample(CITIES, 4), ['please ship to {}.', '{} is where it should go.', 'our branch in {} is waiting for it.'], f'the destination ({item}):', 'destination'
        old, new, third, fourth = values
        form = rng.choice(forms)
        say = {value: form.format(value) for value in (old, new)}
        meaning = {value: f'wants {value} as the {noun}' for value in values}
        ways = [f'Which {noun} holds now?', f'Current {noun}?', f'Which {noun} should be used?', f'{noun}, by the newest mail:'.capitalize()]
        old_ways = [f'Which {noun} was named at first?', f'{noun}, as first given:'.capitalize(), f'Which {noun} is out of date?']
    reply = rng.choice(['thank you for your mail. We are looking into it.', 'thank you, we have noted everything and will be in touch.', 'your mail has arrived. We need a few days.', 'noted. Is there anything else?', 'thank you. A colleague will take care of it.'])
    shift = rng.choice(SHIFT)

    def render(world: tuple[str, str], draw: random.Random) -> State:
        mails = [(client, dates[0], capital(f'{about} {say[world[0]]}')), (agent, dates[1], capital(reply)), (client, dates[2], capital(f'{shift}{say[world[1]]}'))]
        return thread(draw, mails, shape)

    questions = [polar(rng, holds, filled(WANTS, p=client.name, x=meaning[key]), filled(WANTED, p=client.name, x=meaning[key]), ('it is what the newest mail says', 'the newest mail says otherwise')) for key, holds in ((new, (True, False)), (old, (False, True)))]
    for forms, right in ((filled(ways, p=client.name), (new, old)), (filled(old_ways, p=client.name), (old, new))):
        questions.append(described(rng, forms, {key: meaning[key] for key in (old, new, third, fourth)}, right) if old in INTENTS else pick(rng, forms, right, [third, fourth]))
    return made(rng, both(render, ((old, new), (new, old)), rng), questions)
