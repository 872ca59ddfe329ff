"""Teaches who or what holds a place now, held it before, or is only to hold it later, against names that merely occur."""
import random

from .asking import both, described, pick, polar
from .people import CITIES, STREETS, firms, people
from .shapes import fill, filled, layout, made, padded
from .twin import Twin
from .wording import MONTHS

# settings by kind of holder: what is held
POSTS = ["the club's treasurer", 'head of the maternity ward', 'the class teacher of 4b', 'the youth team coach', 'our account manager', 'editor of the newsletter', 'the landlord', 'chair of the parents\' council', 'the on-call engineer',
         'the caretaker of block C', 'captain of the first team', 'the family doctor of the Weiss household', 'the shop steward', 'head chef', 'owner of the billing service', 'the data protection officer']
SUPPLIERS = ['our insurer', 'the hospital\'s linen supplier', 'the city\'s bus operator', 'our parcel carrier', 'the school\'s caterer', 'the house bank of the firm', 'the cleaning contractor', 'our internet provider', 'the maintainer of the lifts', 'the club\'s main sponsor']
SITES = ['the branch office', 'the practice', 'the choir', 'the repair workshop', 'the museum shop', 'the language school', 'the support team', 'the boxing club', 'the warehouse', 'the food bank']
CHANGE = ['until {m}, {x} was {post}; today it is {y}.', '{y} took over from {x} as {post} in {m}.', '{x} was {post} before {y}.', '{y} has been {post} since {m}, when {x} left.', 'the days when {x} was {post} ended in {m}; {y} fills that place now.',
          '{x} gave way to {y} as {post} in {m}.', '{y} replaced {x} as {post} in {m}.', '{x} is no longer {post}; {y} is.', '{post}, once {x}, has been {y} since {m}.', 'in {m} {x} was succeeded by {y} as {post}.']
MOVE = ['{site} moved from {x} to {y} in {m}.', 'until {m}, {site} was in {x}; today you will find it in {y}.', '{site} left {x} in {m} and now has its rooms in {y}.', 'since {m}, {site} has been in {y} and not in {x} any more.',
        '{y} is where {site} is today; {x} was given up in {m}.', '{site}, long in {x}, came to {y} in {m}.']
NEXT = ['{z} is to follow next year.', 'from next {m2} it will be {z}.', 'a change to {z} has been agreed for next {m2}.', '{z} takes the place next {m2}.', 'next in line, from {m2} next year: {z}.']
NEVER = ['{w} was considered too, but nothing came of it.', 'there was also talk of {w}, which led nowhere.', '{w} had been another option at the time and was turned down.', 'many had expected {w}, wrongly.', 'rumours about {w} were false.', 'those who had counted on {w} were mistaken.']
NOW = {'post': ['Is {x} {post} at present?', '{x} is {post} now.', 'As things stand, {x} is {post}.', 'Would you turn to {x} today as {post}?', '{x} is currently {post}.', 'Today, is {x} {post}?'],
       'site': ['Is {site} in {x} at present?', '{site} is in {x} now.', 'Someone who goes to {x} today will find {site} there.', 'Is {x} the right place to visit {site} today?', 'As things stand, {site} is in {x}.', '{site} is currently in {x}.']}
PAST = {'post': ['Is {x} no longer {post}?', '{x} used to be {post} but is not any more.', '{x} is a former holder: once {post}, now not.', 'Does {x} belong to the past as {post}?', 'Has somebody else taken the place of {x} as {post}?', '{x} has been replaced as {post}.'],
        'site': ['Has {site} left {x}?', '{site} used to be in {x} but is not any more.', 'Is {x} the old place of {site}?', '{site} has moved out of {x}.', 'Is a letter to {site} in {x} wrongly addressed today?', '{x} belongs to the past of {site}.']}
WHICH = {'post': [['Who or what is {post} today?', 'Current holder ({post})?', 'Name {post} as of now.', 'At present, {post} is', 'Pick the one that is {post} now.', 'Who counts as {post} at the moment?'],
                  ['Who or what was {post} before?', 'Former holder ({post})?', 'Who was replaced as {post}?', 'The previous one ({post}):', 'Which one used to be {post}?']],
         'site': [['Where is {site} today?', 'Present place of {site}?', 'Where do you go to visit {site}?', 'At present, {site} is in', 'Which address of {site} is right now?'],
                  ['Where was {site} before?', 'Former place of {site}?', 'What has {site} left?', 'Which place has {site} given up?', 'The old address of {site}:']]}


def twin(rng: random.Random) -> Twin:
    kind = rng.choice(['person', 'person', 'firm', 'site'])
    if kind == 'person':
        names, slot = [person.full if rng.random() < 0.3 else person.name for person in people(rng, 4)], rng.choice(POSTS)
    elif kind == 'firm':
        names, slot = firms(rng, 4), rng.choice(SUPPLIERS)
    else:
        names, slot = rng.sample(CITIES, 4) if rng.random() < 0.5 else rng.sample(STREETS, 4), rng.choice(SITES)
    x, y, z, w = names
    month, later = rng.sample(MONTHS, 2)
    with_next = rng.random() < 0.6
    # the worlds: (before, now, next); x and y change places, or y and z do
    worlds = [(x, y, z), (y, x, z)] if not with_next or rng.random() < 0.6 else [(x, y, z), (x, z, y)]

    def render(world: tuple[str, str, str], draw: random.Random) -> str:
        forms = MOVE if kind == 'site' else CHANGE
        facts = [fill(draw, forms, x=world[0], y=world[1], m=month, post=slot, site=slot)]
        if with_next:
            facts.append(fill(draw, NEXT, z=world[2], m2=later))
        if draw.random() < 0.5:
            facts.insert(draw.randint(0, len(facts)), fill(draw, NEVER, w=w))
        return layout(draw, padded(draw, facts), draw.choice(['News', 'Who is who', 'Changes', 'For the file']), mix=False)

    wording = 'site' if kind == 'site' else 'post'
    values = {'post': slot, 'site': slot}
    former, current = [world[0] for world in worlds], [world[1] for world in worlds]
    questions = []
    for name in current:
        now_holds = (current[0] == name, current[1] == name)
        never_former = name not in former
        # for a name that is to come, 'no longer' would be wrong in both states, so only the present is asked
        questions.append(polar(rng, now_holds, filled(NOW[wording], x=name, **values), [] if never_former else filled(PAST[wording], x=name, **values), ('so at present', 'not at present')))
        status = {'current': 'holds now', 'former': 'held it before, not now', 'planned': 'is to come later'}
        index = [('former', 'current', 'planned')[world.index(name)] for world in worlds]
        questions.append(described(rng, filled(['What is {x} with regard to this: {slot}?', '{x} and {slot}: past, present or yet to come?', 'Status of {x} ({slot}):', 'Where does {x} stand in the order ({slot})?'], x=name, slot=slot), status, (index[0], index[1])))
    questions.append(pick(rng, filled(WHICH[wording][0], **values), (current[0], current[1]), names))
    if former[0] != former[1]:
        questions.append(pick(rng, filled(WHICH[wording][1], **values), (former[0], former[1]), names))
    return made(rng, both(render, worlds, rng), questions)
