"""Teaches degrees of certainty: confirmed, likely, open, ruled out; and certain against merely possible."""
import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import people
from .shapes import fill, filled, layout, made, padded
from .twin import State, Twin, score

LEVELS = ['ruled out', 'open', 'likely', 'confirmed']


@dataclass(frozen=True)
class Setting:
    """about: what is to be found out. claims: clauses that may be true or not, independent of each other."""

    about: str
    claims: list[str]


SETTINGS = [
    Setting('the outage', ['the router is at fault', 'the power failed first', 'someone changed the settings', 'data was lost', 'the backup works', 'a second site is affected', 'the provider knows of it', 'the old switch is involved']),
    Setting('the patient', ['the bone is broken', 'the lung is affected', 'the heart is sound', 'an infection is present', 'the kidney is inflamed', 'the tumour is harmless', 'the nerve is injured', 'the blood is too thin']),
    Setting('the break-in', ['the thief had a key', 'two people were involved', 'the cash box is gone', 'the alarm was switched off', 'a neighbour saw the car', 'the window was forced', 'the dog was drugged', 'the safe was opened']),
    Setting('the festival', ['the band will come', 'the tent will hold', 'the mayor will speak', 'the tickets will sell out', 'the stage will be roofed', 'the trains will run all night', 'the beer will be free', 'the field will be dry']),
    Setting('the merger', ['the Lyon office will close', 'the staff will get a bonus', 'the name will change', 'the banks will agree', 'the founder will stay', 'the share price will rise', 'the brand will be sold', 'the canteen will be kept']),
    Setting('the shipwreck', ['the ship carried gold', 'the captain survived', 'the hull hit a rock', 'the crew was drunk', 'the letters are genuine', 'the anchor was lost before', 'the wood is oak', 'the bell was stolen']),
    Setting('the bridge', ['the pillars are sound', 'the cables are rusty', 'the deck must be replaced', 'the paint contains lead', 'the river bed has shifted', 'the lights meet the rules', 'the railing is too low', 'the bolts are from 1931']),
]
SAYS: dict[str, list[str]] = {
    'confirmed': ['it is certain by now that {c}.', '{c}; there is no doubt left about that.', 'that {c} has been confirmed.', 'everything has been checked: {c}.', 'we know for a fact that {c}.', 'it has been proved that {c}.', '{p} can now say for sure that {c}.', 'the last doubts are gone: {c}.'],
    'likely': ['it is likely that {c}.', 'most signs suggest that {c}.', '{p} would put money on it that {c}.', 'chances are that {c}.', '{c}, in all probability.', '{p} leans strongly towards the view that {c}.', 'nine times out of ten in such cases, {c}.', 'there is much to suggest that {c}, though the proof is outstanding.'],
    'open': ['nobody can say yet whether {c}.', 'whether {c} is an open question.', 'it might be that {c}, or it might not.', '{p} has no view on whether {c}.', 'it is anyone\'s guess whether {c}.', 'for want of data we cannot tell whether {c}.', 'as to whether {c}: ask again next week.', 'opinions are evenly split on whether {c}.'],
    'ruled out': ['it can be excluded that {c}.', 'the idea that {c} is off the table.', 'it has turned out to be wrong that {c}.', '{p} has disproved the idea that {c}.', 'that {c} is definitely not the case.', 'there is now proof against the idea that {c}.', 'nobody need believe any longer that {c}.', 'under no circumstances can it be so that {c}.'],
}
ASKED: dict[str, tuple[list[str], list[str]]] = {
    'confirmed': (['Is it certain that {c}?', 'That {c} is beyond doubt.', 'Can one state as a fact that {c}?', 'It is settled that {c}.', 'Has it been established that {c}?', 'No doubt remains that {c}.'], ['Would it go too far to state as a fact that {c}?', 'It is not certain that {c}.', 'Is proof that {c} lacking?', 'That {c} is not established.', 'One cannot say for sure that {c}.']),
    'likely': (['Is it likely, though not certain, that {c}?', 'That {c} is probable but unproven.', 'Is it presumed, short of proof, that {c}?', 'One may expect, without being sure, that {c}.', 'The signs point to it, no more than that: {c}.'], ['Is "probable but unproven" the wrong label for the claim that {c}?', 'The claim that {c} is either settled one way or the other, or wholly open.', 'It is wrong to call it probable but unproven that {c}.']),
    'open': (['Is it wholly unknown whether {c}?', 'Nobody knows whether {c}.', 'Is the matter undecided, with no leaning either way: {c}?', 'There is no saying whether {c}.', 'Whether {c} cannot be judged so far.'], ['Is there at least a leaning on whether {c}?', 'The text lets one judge, at least roughly, whether {c}.', 'It is wrong to say that nothing is known on whether {c}.', 'There is a verdict or a tendency on whether {c}.']),
    'ruled out': (['Is it ruled out that {c}?', 'It is not the case that {c}.', 'Can one drop the idea that {c}?', 'The claim that {c} is known to be false.', 'It has been excluded that {c}.'], ['Is it still possible, or even certain, that {c}?', 'The claim that {c} has not been refuted.', 'One cannot drop the idea that {c}.', 'It has not been excluded that {c}.', 'Does the idea that {c} live on or hold true?']),
}
MEANING = {'confirmed': 'known to be so', 'likely': 'probably so, not proved', 'open': 'no telling either way', 'ruled out': 'known not to be so'}


def twin(rng: random.Random) -> Twin:
    """Several claims, each with a degree of certainty; two of them change places."""
    setting, name = rng.choice(SETTINGS), people(rng, 1)[0].name
    claims = rng.sample(setting.claims, rng.randint(2, 4))
    one, two = rng.sample(LEVELS, 2)
    first, second = claims[:2]
    spare = [level for level in LEVELS if level not in (one, two)]
    rest = {claim: rng.choice(spare) for claim in claims[2:]}
    worlds = [{first: one, second: two, **rest}, {first: two, second: one, **rest}]
    shown = rng.sample(claims, len(claims))

    def render(world: dict[str, str], draw: random.Random) -> State:
        forms = {level: draw.sample(ways, len(ways)) for level, ways in SAYS.items()}
        facts = [fill(draw, [forms[world[claim]][i]], c=claim, p=name) for i, claim in enumerate(shown)]
        shape = draw.random()
        if shape < 0.12:
            word = {'confirmed': draw.choice(['confirmed', 'certain', 'proved']), 'likely': draw.choice(['likely', 'probable', 'to be expected']), 'open': draw.choice(['open', 'unknown', 'undecided']), 'ruled out': draw.choice(['ruled out', 'disproved', 'excluded'])}
            return [{'claim': claim, 'status': word[world[claim]]} for claim in shown]
        return layout(draw, padded(draw, facts, 2), f'State of knowledge on {setting.about}', mix=False)

    questions = []
    for claim, levels in ((first, (one, two)), (second, (two, one))):
        asked = rng.choice(levels)
        questions.append(polar(rng, (levels[0] == asked, levels[1] == asked), filled(ASKED[asked][0], c=claim), filled(ASKED[asked][1], c=claim)))
        questions.append(described(rng, filled(['How sure is it that {c}?', 'Status of the claim that {c}?', 'What is known about the claim that {c}?', 'Label the claim that {c}.'], c=claim), MEANING, levels))
    ways = {'confirmed': ['Which of these is a fact?', 'Which claim is beyond doubt?', 'Pick what is known for sure to be so.'], 'likely': ['Which of these is probable but unproved?', 'Which claim is presumed without proof?', 'Pick what is only to be expected.'],
            'open': ['Which of these is wholly open?', 'On which claim is there no leaning at all?', 'Pick what nobody can judge yet.'], 'ruled out': ['Which of these is known to be false?', 'Which claim has been refuted?', 'Pick what can be dropped.']}
    questions.append(pick(rng, ways[one], (first, second), claims))
    steps = {'ruled out': 0, 'open': 1, 'likely': 2, 'confirmed': 3}
    questions.append(score(rng.choice([f'How far can one rely on it that {first}?', f'Degree of belief that {first}:', f'From refuted to proved: {first}?']), ['known to be false', 'no telling', 'probable', 'known to be true'], (steps[one], steps[two])))
    higher = (steps[one] > steps[two], steps[two] > steps[one])
    questions.append(polar(rng, higher, [f'Is it surer that {first} than that {second}?', f'There is better ground for saying that {first} than that {second}.', f'One would sooner bet that {first} than that {second}.'],
                           [f'Is it surer that {second} than that {first}?', f'There is better ground for saying that {second} than that {first}.', f'One would sooner bet that {second} than that {first}.']))
    return made(rng, both(render, worlds, rng), questions)
