"""Teaches where a thing or person is after moves: the last move counts, carried things go along, what was put down stays."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .people import people
from .shapes import capital, fill, filled, layout, made, padded
from .twin import Twin, score


@dataclass(frozen=True)
class Setting:
    """things: moved things with their article. places: with their preposition after 'is' ('in the cellar')."""

    things: list[str]
    places: list[str]


SETTINGS = [
    Setting(['the red box', 'the spare key', 'the ladder', 'the toolbox', 'the old radio', 'the fan', 'the suitcase', 'the drill'], ['in the cellar', 'in the attic', 'in the garage', 'on the balcony', 'in the hall', 'under the stairs', 'in the shed']),
    Setting(['the ultrasound device', 'the wheelchair', 'the infusion pump', 'the spare bed', 'the defibrillator', 'the screen on wheels'], ['on ward 2', 'on ward 5', 'in the emergency room', 'in theatre 1', 'in the storeroom', 'in the outpatient clinic', 'in radiology']),
    Setting(['pallet 14', 'pallet 22', 'the crate of lamps', 'the cable drum', 'the sealed container', 'the sack of mail', 'the returned goods'], ['at dock 1', 'at dock 4', 'in hall B', 'in the cold store', 'on the truck', 'in the yard', 'at the packing table']),
    Setting(['the bronze statue', 'the small oil painting', 'the map of 1720', 'the Roman coin', 'the stuffed owl', 'the silver cup'], ['in the east wing', 'in the vault', 'in the restoration workshop', 'in the entrance hall', 'in room 6', 'in the photo studio', 'in the archive']),
    Setting(['the projector', 'the guitar', 'the first-aid kit', 'the box of chalk', 'the microscope', 'the class camera', 'the skeleton'], ['in room 12', 'in the gym', 'in the staff room', 'in the library', 'in the biology lab', "in the caretaker's office", 'on the stage']),
    Setting(['the contract folder', 'the stamp', 'the label printer', 'the company tablet', 'the petty cash box', 'the beamer'], ['on the first floor', 'at reception', 'in the boardroom', 'in the archive', 'in the post room', 'in the kitchen', 'in the accounts office']),
    Setting(['sheet 3', 'the budget file', 'the signed scan', 'the logo file', 'the draft speech', 'the photo set'], ['in the folder "inbox"', 'in the folder "drafts"', 'in the folder "archive"', 'in the folder "shared"', 'on the USB stick', 'in the folder "to print"']),
]
STARTS = ['in the morning {t} was {x}.', '{t} was {x} to begin with.', 'at first {t} was {x}.', 'when the day began, {t} was {x}.', '{t} started out {x}.', 'first of all: {t} was {x}.']
MOVES = ['{p} moved {t}, which then was {x}.', '{p} took {t} away; after that it was {x}.', 'then {t} changed places: {p} put it down {x}.', 'later {p} got hold of {t} and left it {x}.', '{p} needed {t} {x} and left it there.', '{t}, thanks to {p}, came to be {x}.', 'some time later {p} wanted {t} to be {x} and saw to it.']
VISITS = ['{p} looked in {x} but touched nothing.'.replace(' in {x}', ' around {x}'), '{p} spent an hour {x}.', '{p} had lunch {x}.', '{p} wanted to have {t} {x}, but nothing came of it.', 'someone suggested that {t} should be {x}; it was not done.', '{p} thought in vain that {t} was {x}.']
IS = ['Is {t} {x} in the end?', '{t} is now {x}.', 'Whoever needs {t} will find it {x}.', 'The last known place of {t}: {x}.', 'At the end of it all, {t} is {x}.', 'Should one look for {t} {x}?']
IS_NOT = ['Is {t} somewhere other than {x} in the end?', '{t} is no longer, or never was, {x}.', 'One would look for {t} in vain {x}.', 'Would it be a mistake to look for {t} {x}?', 'At the end of it all, {t} is not {x}.', 'Is {t} missing {x}?']
WHERE = ['Where is {t} in the end?', 'Where will you find {t}?', 'The place of {t} after all the moves?', 'Last place of {t}:', 'Somebody is looking for {t}. Where should they go?', 'Where did {t} end up?']
CARRIED = ['{p} picked up {t} {x} and walked off with it under one arm. {keep} The next stop of {p} was {y}, for the rest of the day.', 'With {t} in hand, {p} left the place {x}. {keep} In the end {p} was {y}.', '{p} grabbed {t} {x}. {keep} {p} ended the day {y}.']
KEPT = ['{p} did not let go of it.', 'It never left the hands of {p}.', '{p} held on to it all the while.', '{p} carried it all the way.']
DROPPED = ['After two steps {p} thought better of it and put it back.', '{p} put it back at once.', 'At the door {p} returned it to its place.', 'On second thoughts {p} left it where it had been.']


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    digital = 'sheet 3' in setting.things
    return carried(rng, setting) if rng.random() < 0.3 and not digital else moved(rng, setting)


def moved(rng: random.Random, setting: Setting) -> Twin:
    """Two or three things, each with a start and moves; the places of the last moves of two things, or of the last two moves of one, change places."""
    staff, things = people(rng, 3), rng.sample(setting.things, rng.choice([2, 3]))
    start, one, two, other, spare = rng.sample(setting.places, 5)
    same_thing = rng.random() < 0.5
    # a world is a list of (thing, place) moves after the starts
    if same_thing:
        worlds = [[(things[0], x), (things[1], other), (things[0], y)] for x, y in ((one, two), (two, one))]
    else:
        worlds = [[(things[0], x), (things[1], y)] for x, y in ((one, two), (two, one))]
    movers = [rng.choice(staff).name for _ in range(3)]

    def render(world: list[tuple[str, str]], draw: random.Random) -> str:
        # a thing that is moved is not said to have started at its goal
        facts = [fill(draw, STARTS, t=thing, x=start if i == 0 else spare) for i, thing in enumerate(things)]
        for (thing, place), mover in zip(world, movers):
            facts.append(fill(draw, MOVES, p=mover, t=thing, x=place))
            if draw.random() < 0.4:
                facts.append(fill(draw, VISITS[3:] if 'sheet 3' in setting.things else VISITS, p=staff[2].name, t=thing, x=draw.choice([start, spare])))
        return layout(draw, padded(draw, facts, 2), mix=False)

    ends = [{thing: spare if i else start for i, thing in enumerate(things)} for _ in worlds]
    for end, world in zip(ends, worlds):
        end.update(dict(world))
    questions = []
    for thing in things[:1] if same_thing else things[:2]:
        for asked in (one, two):
            questions.append(polar(rng, (ends[0][thing] == asked, ends[1][thing] == asked), filled(IS, t=thing, x=asked), filled(IS_NOT, t=thing, x=asked), ('it is there after the last move', 'it is elsewhere after the last move')))
        questions.append(pick(rng, filled(WHERE, t=thing), (ends[0][thing], ends[1][thing]), [start, one, two, other, spare] if same_thing else [start, one, two, spare]))
    if same_thing:
        questions.append(pick(rng, filled(['Where was {t} just before its last move?', 'From where did {t} go to its last place?', 'Where was {t} last moved away from?'], t=things[0]), (one, two), [start, other, spare]))
    else:
        held = [next(thing for thing, place in end.items() if place == one) for end in ends]
        questions.append(pick(rng, [f'What is {one} in the end?', f'Which of these ended up {one}?', f'Somebody who is {one} now: which of these is there too?'], (held[0], held[1]), things))
    return made(rng, both(render, worlds, rng), questions)


def carried(rng: random.Random, setting: Setting) -> Twin:
    """Someone picks a thing up and goes elsewhere, with it or without it."""
    who, other = (person.name for person in people(rng, 2))
    thing, second = rng.sample(setting.things, 2)
    here, there, third = rng.sample(setting.places, 3)

    def render(kept: bool, draw: random.Random) -> str:
        keep = draw.choice(list(zip(KEPT, DROPPED)))[0 if kept else 1].format(p=who)
        facts = [fill(draw, CARRIED, p=who, t=thing, x=here, y=there, keep=keep)]
        facts.insert(draw.randint(0, 1), fill(draw, STARTS, t=second, x=third))
        if draw.random() < 0.6:
            facts.insert(draw.randint(0, 2), fill(draw, VISITS[:3], p=other, t=second, x=draw.choice([here, there, third])))
        return layout(draw, padded(draw, facts, 2), mix=False)

    questions = [polar(rng, (place == there, place == here), filled(IS, t=thing, x=place), filled(IS_NOT, t=thing, x=place)) for place in (here, there)]
    questions.append(polar(rng, (True, False), [f'Are {who} and {thing} in the same place at the end?', f'{capital(who)} still has {thing}.', f'{capital(thing)} went along with {who}.'], [f'Did {who} leave without {thing}?', f'{capital(thing)} stayed behind when {who} went away.', f'{capital(who)} and {thing} parted ways.']))
    questions.append(pick(rng, filled(WHERE, t=thing), (there, here), [third]))
    questions.append(score(rng.choice([f'How often did {thing} change from one place to another?', f'Number of moves of {thing} to a new place:']), ['never', 'once'], (1, 0)))
    return made(rng, both(render, (True, False), rng), questions)
