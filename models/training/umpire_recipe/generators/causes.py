"""Teaches what brought an outcome about, against things that merely happened too, came before it, were suspected, or would have caused something else."""
import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import person
from .shapes import fill, filled, layout, made, padded
from .twin import Twin
from .wording import WEEKDAYS


@dataclass(frozen=True)
class Setting:
    """effects: clauses for outcomes; events: noun phrases that could have caused any of them (all happened)."""

    effects: list[str]
    events: list[str]


SETTINGS = [
    Setting(['the train was an hour late', 'the concert started late', 'the road was closed', 'the bus never came', 'the ferry stayed in port'], ['a fallen tree', 'a broken signal', 'a strike', 'heavy snow', 'a burst water main', 'a police operation', 'a power cut']),
    Setting(['the website was down', 'orders were lost', 'the nightly export failed', 'logins took a minute', 'customers saw an old price'], ['a full disk', 'an expired certificate', 'a faulty update', 'a network fault', 'a wrong setting', 'a rush of visitors', 'a bug in the cache']),
    Setting(['the patient felt dizzy', 'the wound did not heal', 'the fever came back', 'she could not sleep', 'the rash spread'], ['a new medicine', 'a lack of fluids', 'an infection', 'an allergy', 'low blood pressure', 'a missed dose', 'stress at work']),
    Setting(['sales fell in May', 'the shop had to close for a week', 'the stock ran out', 'profits shrank', 'two clerks resigned'], ['a new rival nearby', 'the roadworks outside', 'a price increase', 'a delivery failure', 'a bad review', 'a dispute over shifts', 'the rainy weather']),
    Setting(['the bread did not rise', 'the soup tasted bitter', 'the cake collapsed', 'the sauce curdled', 'the dough stuck to the tin'], ['old yeast', 'a cold kitchen', 'a faulty oven', 'too much heat', 'the wrong flour', 'a draught from the window', 'a mistake with the scales']),
    Setting(['the machine stopped', 'the belt tore', 'the alarm went off', 'the paint came off', 'the parts came out crooked'], ['a worn bearing', 'a loose screw', 'dust in the sensor', 'a bad batch of steel', 'a cleaning error', 'damp air', 'an operating mistake']),
    Setting(['the team lost the final', 'the keeper was taken off', 'the match was abandoned', 'the captain was sent home', 'the training was called off'], ['an injury', 'a quarrel in the dressing room', 'a thunderstorm', 'a wrong decision of the referee', 'a bad night', 'the flooded pitch', 'a stomach bug']),
    Setting(['the claim was turned down', 'the loan was refused', 'the visa was delayed', 'the permit lapsed', 'the deposit was kept'], ['a missing signature', 'a late fee', 'a wrong address', 'an old debt', 'an unpaid bill', 'a mix-up of files', 'a change in the rules']),
]
CAUSED = ['{e} because of {c}.', '{c} was the reason why {e}.', 'it was {c} that was behind it when {e}.', 'had it not been for {c}, it would not have come about that {e}.', '{e}; this was due to {c}.', 'the inquiry traced it to {c} that {e}.', 'owing to {c}, {e}.', '{e}, and {c} was to blame.', 'that {e} was the result of {c}.', '{c} led to it that {e}.']
ALSO = ['there was also {c}, but that made no difference.', '{c} came on top of it, afterwards, and is not to blame.', 'people first suspected {c}; that proved wrong.', '{c}, though much talked about, had nothing to do with it.', 'the same {day} saw {c}, by coincidence.', '{p} had warned of {c}, yet it played no part.',
        '{c} had been dealt with days before and can be excluded.', 'even without {c} the same would have happened.']
IS_CAUSE = ['Was {c} the reason why {e}?', '{c} is to blame for it that {e}.', 'Did {c} bring it about that {e}?', 'That {e} goes back to {c}.', 'Without {c}, it would not have happened that {e}.', 'Can it be put down to {c} that {e}?', '{c} explains why {e}.']
NOT_CAUSE = ['Was it for another reason than {c} that {e}?', '{c} is not to blame for it that {e}.', 'Is {c} ruled out as the reason why {e}?', 'That {e} has nothing to do with {c}.', 'Even without {c} it would have happened that {e}.', 'Would it be wrong to put it down to {c} that {e}?', '{c} does not explain why {e}.']
WHY = ['Why was it that {e}?', 'Cause: {e}.', 'What was behind it that {e}?', 'What is to blame for it that {e}?', 'Pick the reason why {e}.', 'It came about that {e}. Through what?']


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    effect, effect_2 = rng.sample(setting.effects, 2)
    causes = rng.sample(setting.events, rng.choice([3, 4]))
    first, second, third = causes[:3]
    name = person(rng).name
    crossed = rng.random() < 0.4  # two effects, whose causes change places; else one effect and things beside the point

    def render(world: tuple[str, str], draw: random.Random) -> str:
        if crossed:
            one, two = draw.sample(CAUSED, 2)
            facts = [fill(draw, [one], e=effect, c=world[0]), fill(draw, [two], e=effect_2, c=world[1])]
            draw.shuffle(facts)
        else:
            facts = [fill(draw, CAUSED, e=effect, c=world[0])]
            beside = draw.sample(ALSO, 2)
            facts += [fill(draw, beside[:1], c=world[1], day=draw.choice(WEEKDAYS), p=name)]
        if draw.random() < 0.6:
            late = fill(draw, [form for form in ALSO if form.startswith(('people', '{c}, though', '{p}'))], c=third, p=name, day='Monday')
            facts.append(late)
        return layout(draw, padded(draw, facts, 3), mix=False)

    questions = []
    for c, holds in ((first, (True, False)), (second, (False, True))):
        questions.append(polar(rng, holds, filled(IS_CAUSE, c=c, e=effect), filled(NOT_CAUSE, c=c, e=effect), ('the thing named brought it about', 'something else brought it about')))
        if crossed:
            questions.append(polar(rng, (holds[1], holds[0]), filled(IS_CAUSE, c=c, e=effect_2), filled(NOT_CAUSE, c=c, e=effect_2)))
    questions.append(pick(rng, filled(WHY, e=effect), (first, second), causes))
    if crossed:
        questions.append(pick(rng, filled(['What came of {c}?', '{c} had which effect?', 'Which of these was brought about by {c}?'], c=first), (effect, effect_2), [other for other in setting.effects if other not in (effect, effect_2)][:2]))
    else:
        parts = {'the cause': 'it brought the outcome about', 'beside the point': 'it occurs in the text but did not bring the outcome about'}
        questions.append(described(rng, [f'It happened that {effect}. What part did {first} play?', f'Part of {first} in it that {effect}:', f'It came about that {effect}. How does {first} bear on that?'], parts, ('the cause', 'beside the point')))
    return made(rng, both(render, ((first, second), (second, first)), rng), questions)
