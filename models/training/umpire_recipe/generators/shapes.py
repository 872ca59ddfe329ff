"""Shared ways to finish a twin: keep some of its questions, lay facts out in several formats, fill forms."""
import random
from collections.abc import Sequence
from typing import Any

from . import people, wording
from .twin import Question, State, Twin


def made(rng: random.Random, states: tuple[State, State], questions: list[Question], most: int = 5) -> Twin:
    """A twin of some of the questions (2 to `most`, at least one of which differs), with the two states in random order."""
    questions = list({(question.type, question.instructions): question for question in questions}.values())  # none asked twice
    first = rng.choice([question for question in questions if question.answers[0] != question.answers[1]])
    rest = [question for question in questions if question is not first]
    rng.shuffle(rest)
    kept = [first] + rest[:rng.randint(1, most - 1)]
    rng.shuffle(kept)
    if rng.random() < 0.5:
        states = (states[1], states[0])
        kept = [Question(q.type, q.instructions, q.criteria, (q.answers[1], q.answers[0])) for q in kept]
    return Twin(states, kept)


def layout(rng: random.Random, facts: Sequence[str], heading: str = '', mix: bool = True) -> str:
    """Sentences as running text, lines or bullets, in random order if `mix`."""
    lines = list(facts)
    if mix:
        rng.shuffle(lines)
    shape = rng.random()
    if shape < 0.5:
        return (f'{heading}: ' if heading and rng.random() < 0.3 else '') + ' '.join(lines)
    top = f'{heading}\n' if heading and rng.random() < 0.7 else ''
    if shape < 0.75:
        return top + '\n'.join(lines)
    mark = rng.choice(['- ', '* ', '• '])
    return top + '\n'.join(mark + line for line in lines)


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def fill(rng: random.Random, forms: Sequence[str], **values: Any) -> str:
    """One of the forms, its {names} filled; the first letter made a capital."""
    return capital(rng.choice(forms).format(**values))


def filled(forms: Sequence[str], **values: Any) -> list[str]:
    """All forms filled."""
    return [capital(form.format(**values)) for form in forms]


ASIDES = ['The next meeting is on {day}.', 'Coffee is in the kitchen.', 'Thanks for reading.', '{p} will be away on {day}.', 'More on {day}.', 'Room {n} stays closed this week.', 'Please file this under {n}.', 'Questions go to {p}.', 'Written by {p}, {day}.',
          'Nothing else to report.', 'The lift is working again.', '{p} sends greetings.', 'Copies are on the shelf in room {n}.', 'The phone line was bad.', 'Lunch is at noon on {day}.', 'Reference {n}.', '{p} typed this up on {day}.', 'The weather was poor all week.',
          'The car park will be resurfaced from {day} on, so please use the side entrance.', 'On {day} we had visitors from {city}, who stayed for about {n} minutes.', 'The printer on floor {n} is out of paper again.', '{p} has moved to {city} and sends a postcard now and then.',
          'By the way, the train to {city} was late once more.', 'I am writing this on the train to {city}, so please excuse the typing.', 'Sorry for the long silence; it was a busy week.', 'As always, please do not reply to all.', 'The photos of the summer party are online now.',
          'We were {n} at the last meeting.', '{p} asked me to keep this short.', 'A word on the kitchen: please wash your own cups.', 'The heating is to be serviced on {day}.', 'There was cake for {p} on {day}.', 'Parking costs {n} cents more from now on.',
          '{p} is looking for a lift to {city} on {day}.', 'The window in room {n} sticks, so please be gentle with it.', 'An umbrella has been left behind in room {n}.', 'The minutes run to {n} pages this time.', 'Someone has been feeding the pigeons again.', 'The new chairs are still in their boxes.']


def aside(rng: random.Random) -> str:
    """A sentence beside the point."""
    return rng.choice(ASIDES).format(p=rng.choice(people.WOMEN + people.MEN), day=rng.choice(wording.WEEKDAYS), n=rng.randint(2, 89), city=rng.choice(people.CITIES))


def padded(rng: random.Random, facts: Sequence[str], most: int = 4) -> list[str]:
    """The facts in their order, with 0 to `most` asides put between, before or after them."""
    lines = list(facts)
    for _ in range(rng.randint(0, most)):
        lines.insert(rng.randint(0, len(lines)), aside(rng))
    return lines
