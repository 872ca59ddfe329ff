"""Teaches following a chat: who proposed, whether an indirect reply takes or turns down the proposal, and what holds in the end."""
import random

from .asking import both, described, pick, polar
from .people import CITIES, FOOD, people
from .shapes import filled, made
from .twin import State, Twin
from .wording import WEEKDAYS, clock

# setting: what is settled, openers, proposals ({v}), counterproposals, values
TIMES = [clock(random.Random(i), minutes, 0.3) for i, minutes in enumerate(range(8 * 60, 21 * 60, 15))]
SETTINGS: list[tuple[str, list[str], list[str], list[str], list[str]]] = [
    ('the time of the meeting', ['we still need a time for the meeting', 'when shall we sit down for this?', 'the meeting needs a slot'], ['how about {v}?', 'would {v} suit you?', 'I would say {v}.', 'let us meet at {v}?', 'my suggestion: {v}', 'could we do {v}?'],
     ['then {v}?', '{v} instead?', 'or what about {v}?', 'would {v} be better?', 'make it {v}?', 'I could also offer {v}'], TIMES),
    ('the day of the rehearsal', ['which day do we rehearse?', 'we have to fix the rehearsal', 'the hall needs to know our day'], ['how about {v}?', 'would {v} suit?', '{v} looks good to me, and to you?', 'my suggestion: {v}', 'let us say {v}?', 'could you do {v}?'],
     ['then {v}?', '{v} instead?', 'or what about {v}?', 'would {v} be better?', 'make it {v}?', 'I could also offer {v}'], WEEKDAYS),
    ('the place of the team outing', ['where do we go for the outing?', 'the outing needs a destination', 'any ideas for our day out?'], ['how about {v}?', 'I would love to see {v}', 'let us go to {v}?', 'my suggestion: {v}', 'could we do {v}?', 'what do you think of {v}?'],
     ['then {v}?', '{v} instead?', 'or what about {v}?', 'would {v} be better?', 'why not {v}?', 'I could also offer {v}'], CITIES),
    ('the thing to bring to the party', ['what do we bring on Saturday?', 'we should not turn up with empty hands', 'Ada asks what is coming from us for the buffet'], ['how about {a}?', 'we could bring {a}', 'my suggestion: {a}', 'would {a} do?', 'what do you think of {a}?', 'let us take {a}?'],
     ['then {a}?', '{a} instead?', 'or what about {a}?', 'would {a} be better?', 'why not {a}?', 'I could also do {a}'], [item.one for item in FOOD if ' of ' not in item.one]),
    ('the price for the used bike', ['about the bike: what do you want to do about the price?', 'I am writing about the bike ad', 'so, the bike'], ['how about {v}?', 'would {v} be all right?', 'what do you think of {v}?', 'my suggestion: {v}', 'let us say {v}?', 'could we settle on {v}?'],
     ['then {v}?', '{v} instead?', 'or what about {v}?', 'would {v} be better?', 'make it {v}?', 'how does {v} sound?'], [f'{n} euros' for n in range(60, 400, 15)]),
    ('the name of the new cat', ['the vet asks for the name of the cat', 'our kitten still has no name', 'we cannot call him "cat" for ever'], ['how about {v}?', 'I like {v}', 'my suggestion: {v}', 'would {v} do?', 'what do you think of {v}?', 'let us call him {v}?'],
     ['then {v}?', '{v} instead?', 'or what about {v}?', 'would {v} be better?', 'why not {v}?', 'and {v}?'], 'Biscuit Pepper Shadow Tiger Momo Felix Whiskers Pablo Gizmo Caesar Balu Simba Muffin Rocket Pickle Smokey'.split()),
]
TAKES = ['works for me', 'fine by me', 'perfect', 'I am happy with that', 'sounds good', 'count me in', "that's settled then", 'go for it', 'nothing against it', "couldn't be better", "I'd be glad", "can't object to that"]
TURNS_DOWN = ["I'd rather not", 'that is out for me, sorry', "I'm afraid I can't agree to that", 'hmm, no', "that won't do", 'not really', 'no way, sorry', 'I would have to pass on that', "that doesn't appeal to me", "I can't see that working", 'please not that', 'anything but that']
LEAVES_OPEN = ['let me sleep on it', 'I will have to ask at home first', 'can I tell you tomorrow?', 'maybe, I do not know yet', 'give me until tonight', 'possibly, I need to check something', 'cannot say right now']
REACTIONS = {'accepts': 'says yes to it', 'declines': 'says no to it', 'leaves it open': 'wants to decide later', 'does not reply': 'says nothing about it'}
SMALL_TALK = ['how was your weekend?', 'have you seen the rain?', 'sorry, was on the phone', 'back in a minute', 'I am on the bus right now', 'my battery is low', 'thanks for asking', 'all well here', 'the kids say hello', 'long day today', 'typing with one hand', 'one moment please']


def twin(rng: random.Random) -> Twin:
    """One proposes, the other takes it or turns it down; or there is a counterproposal, and the first takes or turns down that."""
    subject, openers, proposals, counters, values = rng.choice(SETTINGS)
    one, two, three = people(rng, 3)
    first, second, third = rng.sample(values, 3)
    kind = rng.choice(['answer', 'counter', 'speaker'])
    # how the proposal in question is met in each world; only a plain answer may leave it open or be missing
    reactions = ('accepts', rng.choice(['declines', 'leaves it open', 'does not reply'])) if kind == 'answer' else ('accepts', 'declines')

    def say(forms: list[str], value: str, draw: random.Random) -> str:
        return draw.choice(forms).format(v=value, a=f"{'an' if value[0] in 'aeiou' else 'a'} {value}")

    def render(flipped: bool, draw: random.Random) -> State:
        p, q = (two, one) if kind == 'speaker' and flipped else (one, two)
        lines = [(p, draw.choice(openers))] if draw.random() < 0.7 else []
        lines.append((p, say(proposals, first, draw)))
        takes, refusal, refusal_2 = draw.choice(TAKES), *draw.sample(TURNS_DOWN, 2)
        if kind == 'answer':
            lines.append((q, {'accepts': takes, 'declines': refusal, 'leaves it open': draw.choice(LEAVES_OPEN), 'does not reply': draw.choice(['did you see the game last night?', 'by the way, my sister says hello', 'oh, the bus is here', 'hold on, the door'])}[reactions[flipped]]))
        else:
            lines.append((q, f'{refusal}. {say(counters, second, draw)}'))
            lines.append((p, refusal_2 if kind == 'counter' and flipped else takes))
        for _ in range(draw.randint(0, 4)):
            lines.insert(draw.randint(0, 1), (draw.choice([p, q]), draw.choice(SMALL_TALK)))
        if draw.random() < 0.4:
            lines.insert(draw.randint(0, 1), (three, f'I was at {third} once, but that is another story' if values is CITIES else 'just reading along, do not mind me'))
        if draw.random() < 0.3:
            lines.append((draw.choice([p, q]), draw.choice(['talk soon', 'bye for now', 'have to run', 'see you'])))
        shape = draw.randrange(4)
        if shape < 2:
            return [{('from', 'author')[shape]: who.name, 'text': text} for who, text in lines]
        return '\n'.join(f'{who.name}: {text}' if shape == 2 else f'<{who.name}> {text}' for who, text in lines)

    questions = []
    values_named = [first, second, third] if kind != 'answer' else [first, third, *rng.sample([v for v in values if v not in (first, third)], 2)]
    if kind == 'speaker':
        for i, (p, q) in enumerate([(one, two), (two, one)]):
            truth = (i == 0, i == 1)
            questions.append(polar(rng, truth, filled(['Was it {p} who came up with {v}?', '{p} proposed {v} and {q} did not want it.', '{v} was the idea of {p}.', 'Did {q} turn down the proposal of {p}?', '{p} had the first proposal.', '{v} comes from {p}.', '{p} accepted what {q} proposed instead.'], p=p.name, q=q.name, v=first),
                                   filled(['Did {p} turn down {v}?', '{p} was against {v}.', 'Was {v} somebody else\'s idea rather than that of {p}?', '{p} answered with another proposal.', 'Is {w} the proposal of {p}?', '{q} accepted the proposal that {p} made.'], p=p.name, q=q.name, v=first, w=second)))
        questions.append(pick(rng, filled(['Who proposed {v}?', 'Whose idea was {v}?', '{v}: from whom?', 'Who made the first proposal?'], v=first), (one.name, two.name), [three.name]))
        questions.append(pick(rng, filled(['Who proposed {w}?', 'Whose idea was {w}?', 'Who did not like the first proposal?', 'Who spoke against {v}?'], v=first, w=second), (two.name, one.name), [three.name]))
    else:
        value = first if kind == 'answer' else second
        p, q = (one, two) if kind == 'answer' else (two, one)
        questions = [polar(rng, (True, False), filled(['Have {p} and {q} agreed on {v}?', '{v} is settled.', '{s}: {v}, and both are content with that.', '{q} goes along with {v}.', 'Did {q} take up the proposal of {v}?', 'Was {v} accepted?', 'Can {p} take {v} as agreed?'], p=p.name, q=q.name, v=value, s=subject),
                           filled(['Is {s} still open at the end?', '{v} has been turned down.', '{q} does not want {v}.', 'Is {q} against {v}?', 'Does {p} have to think of something other than {v}?', 'The proposal of {v} failed.', 'Did {v} meet with a no from {q}?'], p=p.name, q=q.name, v=value, s=subject)[:None if reactions[1] == 'declines' else 1], ('it was accepted', 'it was not accepted')) for _ in range(2)]
        questions.append(pick(rng, [f'What was agreed ({subject})?', f'Result: {subject}?', f'Pick the outcome for {subject}.', f'What holds for {subject}?'], (value, 'nothing yet'), values_named))
        questions.append(described(rng, filled(['How does {q} react to {v}?', 'Reply of {q} to {v}:', 'What does {q} say to {v}?'], q=q.name, v=value), REACTIONS, reactions))
    return made(rng, both(render, (False, True), rng), questions)
