"""Teaches what someone wants against what they rule out, merely accept, used to want, or what somebody else wants."""
import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import people
from .shapes import fill, filled, layout, made, padded
from .twin import State, Twin


@dataclass(frozen=True)
class Setting:
    """what: what is chosen. options: noun phrases that fit every form below."""

    what: str
    options: list[str]


SETTINGS = [
    Setting('the holiday', ['a week by the sea', 'a cycling tour', 'a cabin in the mountains', 'a city trip', 'a cruise', 'a camping site', 'a stay on a farm', 'a walking holiday']),
    Setting('the new flat', ['a balcony', 'a bathtub', 'a garden', 'a lift', 'a fitted kitchen', 'a parking space', 'a quiet street', 'a second bedroom']),
    Setting('lunch on Friday', ['a lentil soup', 'a cheese sandwich', 'a vegetable curry', 'a tuna salad', 'a plate of pasta', 'a chicken pie', 'a bowl of rice', 'an omelette']),
    Setting('the next phone', ['a long battery life', 'a small screen', 'a good camera', 'a low price', 'a metal case', 'a fast charger', 'a big memory', 'a physical keyboard']),
    Setting('working hours', ['an early shift', 'a late shift', 'a four-day week', 'a long lunch break', 'a home office day', 'a split shift', 'a night shift', 'a weekend shift']),
    Setting('the treatment', ['an operation', 'a course of tablets', 'a stay in a clinic', 'an injection', 'a course of physiotherapy', 'a change of diet', 'a second opinion', 'a trial therapy']),
    Setting('the wedding party', ['a live band', 'a sit-down dinner', 'a small circle of guests', 'a church service', 'a marquee', 'a photo booth', 'a firework display', 'a barn']),
    Setting('the form of payment', ['a bank transfer', 'a monthly plan', 'a cash payment', 'a card payment', 'a yearly invoice', 'a direct debit', 'a payment in advance', 'a payment on delivery']),
]
WANTS = ['{p} would love {x}.', '{x} is what {p} is hoping for.', '{p} has set {his} heart on {x}.', 'what {p} wants is {x}.', 'nothing would please {p} more than {x}.', '{p} asked for {x}.', 'if it were up to {p}, it would be {x}.', '{p} dreams of {x}.', 'at the top of the list of {p}: {x}.', '{p} keeps coming back to {x}, with shining eyes.']
REJECTS = ['{p} will not hear of {x}.', '{x} is out of the question for {p}.', '{p} flatly refuses {x}.', 'anything but {x}, says {p}.', 'with {x} you can chase {p} away.', '{p} has had enough of {x} for a lifetime.', '{p} has ruled out {x}.', '{p} shudders at the thought of {x}.', 'please spare {p} {x}.', '{p} wants to avoid {x} at all costs.']
ACCEPTS = ['{p} could live with {x} if need be.', '{x} would be tolerable to {p}, no more than that.', 'at a pinch, {p} would take {x}.', '{p} has nothing against {x} but nothing for it either.', '{x} leaves {p} cold, one way or the other.']
ONCE = ['years ago, {p} had {x}.', '{p} has been told a lot about {x}.', 'the leaflet praises {x}.', 'a friend of {p} had {x} last time.', 'the adviser mentioned {x} to {p}.']
ATTITUDES = {'wanted': 'actively wished for', 'rejected': 'ruled out', 'acceptable': 'tolerated without enthusiasm', 'unknown': 'no attitude is given'}
LIKES = ['Does {p} want {x}?', '{x} is what {p} wishes for.', 'Would {x} make {p} happy?', '{p} is in favour of {x}.', 'Would {p} be glad of {x}?', 'Can one please {p} with {x}?', '{x} is on the wish list of {p}.']
DISLIKES = ['Has {p} ruled out {x}?', '{p} is against {x}.', 'Would {x} be the wrong choice for {p}?', '{p} does not want {x}.', 'Would {p} be unhappy with {x}?', 'Should one keep {x} away from {p}?', '{x} is something {p} rejects.']


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    first, second, third, fourth = rng.sample(setting.options, 4)
    one, two = people(rng, 2)
    if rng.random() < 0.3:
        return graded(rng, setting)
    kind = rng.choice(['own', 'people', 'people'])

    def render(flipped: bool, draw: random.Random) -> State:
        # own: one person's wish and rejection change places. people: two persons, who want and reject the opposite
        good, bad = (second, first) if flipped else (first, second)
        like, dislike = draw.choice(WANTS), draw.choice(REJECTS)
        facts = [fill(draw, [like], p=one.name, his=one.his, x=good), fill(draw, [dislike], p=one.name, x=bad)]
        if kind == 'people':
            like_2, dislike_2 = draw.choice([form for form in WANTS if form != like]), draw.choice([form for form in REJECTS if form != dislike])
            other = [fill(draw, [like_2], p=two.name, his=two.his, x=bad), fill(draw, [dislike_2], p=two.name, x=good)]
            facts = draw.choice([[facts[0], other[0]], [facts[0], other[1], other[0]], [facts[1], other[1], facts[0], other[0]], [other[0], facts[0], facts[1]]])
        else:
            draw.shuffle(facts)
        if draw.random() < 0.6:
            facts.insert(draw.randint(0, len(facts)), fill(draw, ACCEPTS, p=one.name, x=third))
        if draw.random() < 0.5:
            facts.insert(draw.randint(0, len(facts)), fill(draw, ONCE, p=one.name, x=fourth))
        if draw.random() < 0.2:
            return {'about': setting.what, 'notes': facts}
        return layout(draw, padded(draw, [f'This is about {setting.what}.', *facts] if draw.random() < 0.5 else facts, 2), f'Wishes ({setting.what})', mix=False)

    questions = []
    # with two persons, what the first one rejects may go unsaid, so only wishes are asked, and rejections only where they are said in every version
    for person, (good, bad) in ((one, (first, second)), (two, (second, first))):
        if person is two and kind == 'own':
            continue
        forms = DISLIKES if kind == 'own' else []
        for x, holds in ((good, (True, False)), (bad, (False, True))):
            questions.append(polar(rng, holds, filled(LIKES, p=person.name, x=x), filled(forms, p=person.name, x=x), ('the text says it is wished for', 'the text says it is unwanted' if kind == 'own' else 'the text does not say it is wished for')))
        if kind == 'own':
            questions.append(described(rng, filled(['What is the attitude of {p} to {x}?', 'How does {p} take to {x}?', '{p} and {x}: pick what fits.'], p=person.name, x=good), ATTITUDES, ('wanted', 'rejected')))
            questions.append(pick(rng, filled(['What has {p} ruled out?', 'What must {p} be spared?', 'With what would one annoy {p}?', 'What does {p} not want?'], p=person.name), (bad, good), [third, fourth]))
        questions.append(pick(rng, filled(['What does {p} want?', 'With what would one please {p} most?', 'Wish of {p} for {w}?', 'Which would {p} choose?', 'First choice of {p}?'], p=person.name, w=setting.what), (good, bad), [third, fourth]))
    if kind == 'people':
        questions.append(pick(rng, filled(['Who wants {x}?', 'Whose wish is {x}?', 'Who would be glad of {x}?', 'Whom would one please with {x}?'], x=first), (one.name, two.name), [], fixed=True))
    return made(rng, both(render, (False, True), rng), questions)


def graded(rng: random.Random, setting: Setting) -> Twin:
    """One person's attitude to two things, out of four, changes places."""
    who, (first, second) = people(rng, 1)[0], rng.sample(setting.options, 2)
    here, there = rng.sample(list(ATTITUDES), 2)
    forms = {'wanted': WANTS, 'rejected': REJECTS, 'acceptable': ACCEPTS, 'unknown': ONCE}

    def render(world: tuple[str, str], draw: random.Random) -> State:
        ways = {attitude: draw.choice(options) for attitude, options in forms.items()}
        facts = [fill(draw, [ways[attitude]], p=who.name, his=who.his, x=x) for x, attitude in zip((first, second), world)]
        draw.shuffle(facts)
        return layout(draw, padded(draw, facts, 3), f'Wishes ({setting.what})', mix=False)

    questions = []
    for x, attitudes in ((first, (here, there)), (second, (there, here))):
        questions.append(described(rng, filled(['What is the attitude of {p} to {x}?', 'How does {p} take to {x}?', '{p} and {x}: pick what fits.'], p=who.name, x=x), ATTITUDES, attitudes))
        if 'wanted' in attitudes:  # to tolerate a thing, or to say nothing of it, is not to want it
            questions.append(polar(rng, (attitudes[0] == 'wanted', attitudes[1] == 'wanted'), filled(['Does the text show that {p} actively wants {x}?', 'The text says that {p} wishes for {x}.', 'Can one tell from the text that {x} would delight {p}?'], p=who.name, x=x),
                                   filled(['Does the text fail to show that {p} actively wants {x}?', 'The text names no wish of {p} for {x}.', 'Nothing in the text says that {x} would delight {p}.'], p=who.name, x=x)))
        if 'rejected' in attitudes:
            questions.append(polar(rng, (attitudes[0] == 'rejected', attitudes[1] == 'rejected'), filled(['Has {p} ruled out {x}?', '{x} is something {p} rejects.', 'Does the text say that {p} wants nothing to do with {x}?'], p=who.name, x=x),
                                   filled(['Has {p} left {x} on the table, or said nothing on it?', 'The text names no objection of {p} to {x}.', '{p} has not turned down {x}.'], p=who.name, x=x)))
    return made(rng, both(render, ((here, there), (there, here)), rng), questions)
