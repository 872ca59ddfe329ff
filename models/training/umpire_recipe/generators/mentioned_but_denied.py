"""Teaches that a thing named in a text may be named as absent: 'no fever', 'free of nuts', 'never asked for'."""
import random

from .asking import both, described, pick, polar
from .people import person
from .shapes import capital, filled, layout, made, padded
from .twin import Question, Twin
from .wording import listed

# setting: subject, things, how they are said to be there, how they are said not to be there, asked for, asked for inversely; {t} is the thing, {ts} a list, {n} a person
Setting = tuple[list[str], list[str], list[str], list[str], list[str]]
SETTINGS: list[Setting] = [
    ('fever|a cough|a rash|chest pain|a headache|joint pain|dizziness|a sore throat|nausea|back pain|swollen ankles|blurred vision'.split('|'),
     ['{n} has {ts}.', '{n} came in with {ts}.', '{n} complains of {ts}.', 'present: {ts}.', '{n} reports {ts} since Sunday.', 'on examination, {ts}.'],
     ['there is no sign of {ts}.', '{n} denies {ts}.', '{n} was asked about {ts} and shook the head.', 'negative for {ts}.', 'absent: {ts}.', '{n} does not have {ts}.', '{n} is free of {ts}.'],
     ['Does {n} have {t}?', '{n} suffers from {t}.', 'Is {t} among the symptoms?', '{t} was found.', 'Should the note list {t} as a symptom of {n}?', 'Is {n} troubled by {t}?'],
     ['Has {t} been ruled out or denied?', '{n} is spared {t}.', 'Is {t} absent?', '{n} does not have {t}.', '{t} is named only to say that it is missing.', 'Is {n} without {t}?']),
    ('peanuts|celery|mustard|soy|sesame|gluten|milk|egg|lupin|sulphites|fish|shellfish'.split('|'),
     ['the sauce contains {ts}.', '{ts} went into the sauce.', 'made with {ts}.', 'on the list of ingredients: {ts}.', 'guests should know that it has {ts} in it.', 'we add {ts}.'],
     ['the sauce is free of {ts}.', 'we leave out {ts}.', '{n} made it without {ts}.', 'there is no trace of {ts}.', 'not in it: {ts}.', 'as for {ts}: none at all.'],
     ['Does the sauce contain {t}?', '{t} is an ingredient.', 'Must someone allergic to {t} avoid the sauce?', 'The sauce has {t} in it.', 'Was {t} used?', 'Someone who cannot have {t} should leave the sauce alone.'],
     ['Is the sauce safe for someone who must avoid {t}?', 'The sauce is made without {t}.', 'Was {t} left out?', '{t} is named only because it is missing.', 'Is the sauce free of {t}?', 'Someone allergic to {t} can eat the sauce.']),
    ('damp in the cellar|woodworm|cracked tiles|a leaking gutter|mould|loose wiring|a broken boiler|rotten beams|a blocked drain|asbestos|subsidence|rusty pipes'.split('|'),
     ['the surveyor found {ts}.', 'the house suffers from {ts}.', 'defects seen: {ts}.', 'to be mended: {ts}.', '{n} pointed out {ts}.', 'we noted {ts}.'],
     ['the surveyor looked for {ts} and found nothing of the kind.', 'no {ts_bare}.', 'the fear of {ts} proved groundless.', 'nothing points to {ts}.', 'contrary to what {n} had feared, the house does not have {ts}.', '{ts}: checked, not found.'],
     ['Does the house have {t}?', '{t} was found.', 'Is {t} one of the defects?', 'The buyer must reckon with {t}.', 'Will {t} have to be dealt with?', 'The report lists {t} as a defect.'],
     ['Is the house free of {t}?', '{t} was not found.', 'Has {t} been ruled out?', 'The buyer need not worry about {t}.', 'Is {t} named only as something not found?', 'The house does not suffer from {t}.']),
    ('single sign-on|an audit trail|dark mode|offline sync|bulk export|role management|two-factor login|an API|voice input|calendar sharing|a mobile app|custom reports'.split('|'),
     ['the plan includes {ts}.', 'you get {ts}.', 'it comes with {ts}, says {n} of sales.', 'part of the package: {ts}.', 'release 4 ships with {ts}.', 'we offer {ts} in this plan.'],
     ['the plan does not include {ts}.', 'we do not offer {ts} in this plan.', 'customers keep asking for {ts}, in vain.', 'not part of the package: {ts}.', 'you will have to do without {ts}.', 'release 4 still lacks {ts}.'],
     ['Does the plan come with {t}?', '{t} is part of it.', 'Will a customer on this plan have {t}?', 'The package has {t}.', 'Can customers count on {t}?', 'Is {t} included?'],
     ['Is {t} missing from the plan?', 'The plan comes without {t}.', 'Must a customer on this plan do without {t}?', '{t} is left out.', 'Is {t} mentioned as something not offered?', 'Customers who need {t} are not served by this plan.']),
    ('a torch|a sleeping bag|rain trousers|a pocket knife|a lunch box|swimming things|a towel|sun cream|hiking boots|a phone|a camera|pocket money'.split('|'),
     ['the children should bring {ts}.', 'please pack {ts}.', 'needed on the trip: {ts}.', 'put {ts} in the rucksack.', '{n}, the class teacher, asks for {ts}.', 'do not forget {ts}.'],
     ['leave {ts} at home.', 'the children must not bring {ts}.', 'not needed and not allowed: {ts}.', '{n}, the class teacher, will send back anyone with {ts}.', 'no {ts_bare} this time, please.', 'we do not want to see {ts} on this trip.'],
     ['Should a child take along {t}?', '{t} belongs in the rucksack.', 'Is {t} wanted on the trip?', 'Parents should pack {t}.', 'Does {t} have to come along?', '{t} is on the packing list.'],
     ['Should {t} stay at home?', '{t} is unwanted on this trip.', 'Would a child with {t} break the rules?', 'Parents should not pack {t}.', 'Is {t} forbidden?', 'The letter tells children to do without {t}.']),
    ('forced entry|missing goods|malware|a weak password|an open port|stolen badges|changed records|an unlocked server room|a phishing mail|unknown devices|deleted logs|a leaked key'.split('|'),
     ['the audit turned up {ts}.', '{n} found {ts}.', 'evidence of {ts} was secured.', 'findings: {ts}.', 'it was a case of {ts}.', 'what came to light: {ts}.'],
     ['the audit did not turn up {ts}.', 'no evidence of {ts}.', '{n} searched for {ts} without result.', 'we can exclude {ts}.', 'talk of {ts} is mistaken.', 'it was not a case of {ts}.'],
     ['Did the audit find {t}?', '{t} is one of the findings.', 'Was there {t}?', 'The case involves {t}.', 'Should {t} go into the list of findings?', 'It has turned out that there was {t}.'],
     ['Can {t} be excluded?', 'The case does not involve {t}.', 'Was {t} looked for in vain or excluded?', '{t} is not one of the findings.', 'Is {t} off the table?', 'Anyone speaking of {t} would be wrong.']),
]


def bare(thing: str) -> str:
    return thing.removeprefix('a ').removeprefix('an ')


def twin(rng: random.Random) -> Twin:
    things, there, absent, asked, asked_inverse = rng.choice(SETTINGS)
    chosen, name = rng.sample(things, rng.choice([3, 4, 4, 5])), person(rng).name
    if rng.random() < 0.25:
        return silent(rng, things, there, absent, name)
    first, second = chosen[:2]
    rest_there = rng.random() < 0.5  # the others are all there, or all absent
    others = chosen[2:]

    def render(present: str, draw: random.Random) -> str:
        missing = second if present == first else first
        groups = [[present], [missing]]
        (groups[0] if rest_there else groups[1]).extend(others)
        lines = []
        for group, forms in zip(groups, (there, absent)):
            draw.shuffle(group)
            joiner = 'and' if forms is there else 'or'
            lines.append(capital(draw.choice(forms).format(n=name, ts=listed(group, joiner), ts_bare=listed([bare(thing) for thing in group], 'or'))))
        return layout(draw, padded(draw, draw.sample(lines, 2)), mix=False)

    meaning = ('named as there or wanted', 'named as absent or unwanted')
    questions = [polar(rng, (i == 0, i == 1), filled(asked, t=thing, n=name), filled(asked_inverse, t=thing, n=name), meaning) for i, thing in enumerate((first, second))]
    if rest_there:
        forms, right = ['Which of these is said to be absent or unwanted?', 'Which one is named only to be denied?', 'Pick what the text says no to.', 'What is ruled out?', 'Which of these does the text exclude?'], (second, first)
    else:
        forms, right = ['Which of these is said to be there or wanted?', 'Which one does the text affirm?', 'Pick what the text says yes to.', 'Only one of these applies. Which?', 'Which of these is not denied?'], (first, second)
    questions.append(pick(rng, forms, right, others))
    questions.append(status(rng, first, ('affirmed', 'denied')))
    return made(rng, both(render, (first, second), rng), questions)


def status(rng: random.Random, thing: str, right: tuple[str, str]) -> Question:
    options = {'affirmed': 'the text says yes to it', 'denied': 'the text says no to it', 'not mentioned': 'the text is silent about it'}
    return described(rng, [f'What does the text do with this: {thing}?', f'{capital(thing)}: how is it mentioned, if at all?', f'How does the text speak of {thing}?'], options, right)


def silent(rng: random.Random, things: list[str], there: list[str], absent: list[str], name: str) -> Twin:
    """One thing is named (as there or as absent) in one state and not at all in the other, where another stands in its place."""
    named, instead, *others = rng.sample(things, 4)
    positive = rng.random() < 0.5

    def render(thing: str, draw: random.Random) -> str:
        groups = [([thing], there if positive else absent), (others[:draw.randint(1, 2)], absent if positive else there)]
        facts = [capital(draw.choice(forms).format(n=name, ts=listed(group, 'and' if forms is there else 'or'), ts_bare=listed([bare(one) for one in group], 'or'))) for group, forms in groups]
        return layout(draw, padded(draw, facts), mix=True)

    questions = [polar(rng, (thing == named, thing == instead), [f'Does the text say anything on this: {thing}?', f'{capital(thing)}: there is a word on that, for or against.', f'The text mentions {thing}.'],
                       [f'Is the text silent on this: {thing}?', f'{capital(thing)}: not a word on that.', f'{capital(thing)} does not come up in the text.', f'Nothing can be learned from the text on this: {thing}.']) for thing in (named, instead)]
    kind = 'affirmed' if positive else 'denied'
    questions += [status(rng, named, (kind, 'not mentioned')), status(rng, instead, ('not mentioned', kind))]
    return made(rng, both(render, (named, instead), rng), questions)
