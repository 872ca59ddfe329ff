"""Teaches who was told what, and so who knows: told directly, by a go-between, copied in, left out on purpose, or mentioned only."""
import random

from .asking import both, described, pick, polar
from .people import people
from .shapes import capital, fill, filled, layout, made, padded
from .twin import State, Twin, score
from .wording import WEEKDAYS, listed

# news: (as a that-clause, as a heading)
NEWS = [('the branch will close in June', 'branch'), ('the price goes up by a tenth', 'prices'), ('the exam covers chapter 9', 'exam'), ('there will be a surprise party for Otto', 'party'), ('the operation has been put off', 'operation'), ('the password of the shared folder is new', 'password'),
        ('the coach is leaving at the end of the season', 'coach'), ('the flat has been sold', 'flat'), ('the van is in the workshop until Friday', 'van'), ('the auditors come on Tuesday', 'audit'), ('two posts are to be cut', 'posts'), ('the well water must not be drunk', 'water'),
        ('the trip has been called off', 'trip'), ('the server will be restarted tonight', 'server'), ('the test result was positive', 'result'), ('the grant has been approved', 'grant')]
TOLD = ['{p} told {q} that {n}.', '{p} let {q} know that {n}.', '{q} heard from {p} that {n}.', '{p} rang {q} to say that {n}.', '{p} took {q} aside and explained that {n}.', 'from {p}, {q} learned that {n}.', '{p} wrote to {q} that {n}.', '{q} has been informed by {p} that {n}.']
HIDDEN = ['{r} is not to learn of it for now, and has not.', 'it was kept from {r}.', 'not a word was said to {r} about it.', '{r} was passed over on purpose.', '{r} has been left in the dark.', 'everyone was careful not to let {r} find out.', '{r} still has no idea.', 'nobody has mentioned it to {r} yet.']
PASSED = ['{q} then told {s}.', '{q} passed it on to {s}.', '{s} was told by {q} later that day.', '{q} could not keep quiet, so {s} knows it too.', '{s} found out through {q}.']
TALK = ['{t} talked to {r} about the weather.', '{t} and {r} had lunch together and spoke of football.', '{r} wrote to {t} about something else.', '{t} asked {r} for a pen.']
KNOWS = ['Does {q} know that {n}?', '{q} has been told that {n}.', 'Is {q} aware that {n}?', 'The news that {n} has reached {q}.', 'It would be no news to {q} that {n}.', '{q} is in the know ({h}).', 'Can one speak to {q} openly of the fact that {n}?']
IGNORANT = ['Is {q} still unaware that {n}?', 'Nobody has told {q} that {n}.', 'The news that {n} has not reached {q}.', 'Would it come as a surprise to {q} that {n}?', '{q} does not know that {n}.', 'Is {q} in the dark ({h})?', 'It would be new to {q} that {n}.']


def twin(rng: random.Random) -> Twin:
    return headers(rng) if rng.random() < 0.3 else talk(rng)


def talk(rng: random.Random) -> Twin:
    """One told and one left out change places; at times a second person is told at second hand."""
    news, heading = rng.choice(NEWS)
    teller, one, two, further, idle = (person.name for person in people(rng, 5))
    relay = rng.random() < 0.35  # the one told tells the other
    passed, hidden = not relay and rng.random() < 0.5, not relay and rng.random() < 0.8

    def render(told: tuple[str, str], draw: random.Random) -> State:
        knows, lacks = told
        facts = [fill(draw, TOLD, p=teller, q=knows, n=news)]
        if passed or relay:
            facts.append(fill(draw, PASSED, q=knows, s=lacks if relay else further))
        if hidden:
            facts.append(fill(draw, HIDDEN, r=lacks))
        if draw.random() < 0.6 or not hidden and not relay:
            facts.insert(draw.choice([0, len(facts)]), fill(draw, TALK, t=draw.choice([teller, idle]), r=lacks))
        return layout(draw, padded(draw, facts, 2), f'{draw.choice(WEEKDAYS)}: {heading}', mix=False)

    worlds = ((one, two), (two, one))
    questions = [] if relay else [polar(rng, holds, filled(KNOWS, q=name, n=news, h=heading), filled(IGNORANT, q=name, n=news, h=heading), ('somebody has passed the news to this person', 'nobody has passed the news to this person')) for name, holds in ((one, (True, False)), (two, (False, True)))]
    if hidden:
        questions.append(pick(rng, filled(['Who does not know that {n}?', 'Who is yet to learn that {n}?', 'From whom was it kept that {n}?', 'Who is in the dark ({h})?'], n=news, h=heading), (two, one), [teller, *([further] if passed else [])]))
    questions.append(pick(rng, filled(['Whom did {p} tell that {n}?', 'Who has it straight from {p} that {n}?', 'Who learned from {p} that {n}?'], p=teller, n=news), (one, two), [further] if passed else [idle]))
    if passed:
        questions.append(pick(rng, filled(['Who told {s} that {n}?', 'Through whom did {s} find out ({h})?', 'From whom does {s} have the news?'], s=further, n=news, h=heading), (one, two), [teller]))
    group = [one, further] if passed else [one, idle]
    if relay:
        questions += [polar(rng, holds, [f'Does {p} have it straight from {teller}?', f'{p} knew it before {q} did.', f'{p} told {q}.', f'Did {q} hear it through {p}?'], [f'Does {p} have it at second hand?', f'{q} knew it before {p} did.', f'{q} told {p}.', f'Did {p} hear it through {q}?']) for p, q, holds in ((one, two, (True, False)), (two, one, (False, True)))]
    else:
        questions.append(score(rng.choice(filled(['How many of {g} know that {n}?', 'Of {g}, how many have been told that {n}?'], g=listed(rng.sample(group, 2)), n=news)), ['none', 'one', 'two'], (1 + passed, int(passed))))
    questions.append(described(rng, filled(['How did {q} come to know that {n}, if at all?', '{q} and the news ({h}):', 'What fits {q} ({h})?'], q=one, n=news, h=heading), {'told first-hand': f'{teller} said it to this person', 'told by somebody else': f'learned of it, but not from {teller}', 'not told': 'nobody has said so to this person'}, ('told first-hand', 'told by somebody else' if relay else 'not told')))
    return made(rng, both(render, worlds, rng), questions)


def headers(rng: random.Random) -> Twin:
    """A mail with to, cc and bcc: one who gets it and one merely named in it change places, or cc and bcc do."""
    news, heading = rng.choice(NEWS)
    writer, one, two, three, four = (person.name for person in people(rng, 5))
    secret = rng.random() < 0.5  # else: receives or is only named
    shape = rng.randrange(2)

    def render(pair: tuple[str, str], draw: random.Random) -> State:
        x, y = pair
        body = capital(f'{news}. ') + (draw.choice(['Please do not pass this on.', 'More details will follow.', 'Questions to me, please.', 'That is all for today.']) if secret else
                                       draw.choice(['{} will be told by me in person next week.', 'I have left {} out for now.', '{} is to hear of it only on Friday.', 'Please say nothing to {} yet.', 'Not a word to {}, please.']).format(y))
        fields = {'from': writer, 'to': three, 'cc': x, **({'bcc': y} if secret else {}), 'subject': draw.choice([heading, 'news', 'please read', 'internal']), 'body': body}
        return fields if shape else '\n'.join(f'{key.capitalize()}: {value}' for key, value in fields.items() if key != 'body') + f'\n\n{body}'

    if secret:
        visible = [f'Can {three} see from the mail that {one} got it?', f'{capital(one)} received it openly.', f'That {one} got the mail is plain to {three}.', f'The name of {one} is shown to all who received the mail.']
        hidden = [f'Is it hidden from {three} that {one} got the mail?', f'{capital(one)} received it secretly.', f'{three} cannot tell from the mail that it also went to {one}.', f'The name of {one} is kept from the others who received the mail.']
        visible_2, hidden_2 = ([form.replace(one, two) for form in forms] for forms in (visible, hidden))
        questions = [polar(rng, (True, False), visible, hidden), polar(rng, (False, True), visible_2, hidden_2)]
        questions.append(pick(rng, ['Who got the mail without the others seeing it?', 'Whose copy is hidden from the rest?', 'Blind copy: to whom?'], (two, one), [three, writer]))
        questions.append(pick(rng, ['Who got an open copy?', f'Besides {three}, who is openly shown to have received it?', 'Visible copy (cc): to whom?'], (one, two), [four, writer]))
    else:
        questions = [polar(rng, holds, filled(KNOWS, q=name, n=news, h=heading), filled(IGNORANT, q=name, n=news, h=heading)) for name, holds in ((one, (True, False)), (two, (False, True)))]
        questions.append(pick(rng, ['Who got a copy?', f'Besides {three}, who received the mail?', 'Who else can read this?'], (one, two), [four]))
        questions.append(pick(rng, ['Who is not to know yet?', 'Who is named in the mail but did not get it?', 'From whom is the news being kept?'], (two, one), [three, writer]))
    return made(rng, both(render, ((one, two), (two, one)), rng), questions)
