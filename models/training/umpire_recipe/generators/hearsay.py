"""Teaches what is proven against what somebody merely says, and who saw a thing against who was told of it."""
import random

from .asking import both, described, pick, polar
from .people import people
from .shapes import capital, fill, filled, layout, made, padded
from .twin import Twin
from .wording import WEEKDAYS

# setting: (ways to name the evidence, events that can be both recorded and talked about)
SETTINGS = {
    'shop': (['the camera footage', 'the incident record', 'the evening report', 'the written check'],
             ['the till was short by 40 euros', 'the back door stood open all night', 'two crates went missing', 'a customer slipped near the freezer', 'the alarm went off twice', 'the delivery came before six']),
    'clinic': (['the patient chart', 'the incident report', 'the ward log', 'the audit'],
               ['the second dose was skipped', 'the patient fell in the corridor', 'the samples were swapped', 'the fever broke before dawn', 'the wrong form was signed', 'the infusion ran too fast']),
    'software': (['the audit log', 'the server log', 'the event history', 'the monitoring dashboard'],
                 ['the backup job failed', 'the token had expired', 'someone restarted the database', 'the cache was full', 'the test suite was skipped', 'the traffic doubled']),
    'school': (['the class book', 'the incident book', "the caretaker's log", 'a photo'],
               ['the last page was missing', 'three pupils left early', 'the projector was broken', 'the class was double-booked', 'the fire door was blocked', 'the bus left late']),
    'building site': (['the inspection report', 'the site diary', 'the video', 'the written inspection'],
                      ['the crane was overloaded', 'the scaffold lacked a rail', 'the cement arrived wet', 'the trench was left unmarked', 'the pump ran dry', 'the gate was left unlocked']),
    'rental': (['the handover protocol', 'the inspection', 'a photo from the move-in day', "the surveyor's report"],
               ['the heating was broken', 'the window was already cracked', 'the tap had been leaking for months', 'the carpet was stained', 'a spare key is missing', 'the cellar was under water']),
}
PROVEN = ['{proof} shows that {event}.', '{event}: {proof} leaves no doubt about that.', 'We know from {proof} that {event}.', '{event}, as {proof} proves.', 'that {event} has been checked against {proof} and is correct.',
          '{proof} was pulled and confirms it: {event}.', '{event}; {proof} has it in black and white.']
CLAIMED = ['{p} says that {event}.', 'according to {p}, {event}.', '{p} insists that {event}, but no one has looked into it.', 'if {p} is to be believed, {event}.', '{p} heard in the canteen that {event}.', '{event}, or so {p} tells everybody.',
           '{p} is quite sure that {event}, though nothing backs that up.', 'word has it, via {p}, that {event}.']
IS_PROVEN = ['Is it established that {event}?', 'There is proof that {event}.', "Does the text offer more than someone's word that {event}?", 'It has been verified that {event}.', 'Do we have evidence that {event}?', 'That {event} is documented.',
             'Has it been shown that {event}?', 'We can take it as certain that {event}.']
IS_TALK = ['Is it only hearsay that {event}?', "That {event} rests on somebody's word alone.", 'Nothing but talk supports the claim that {event}.', "Do we have no more than one person's word that {event}?", 'It is unproven that {event}.', 'Is proof still lacking that {event}?',
           'That {event} is merely claimed.', 'Would someone still have to check whether {event}?']
SAW = ['{p} saw with {his} own eyes that {event}.', '{p} was standing right there and noticed that {event}.', '{p} found out {himself} that {event}.', '{p} was on the spot when it came out that {event}.', '{p} noticed it first-hand: {event}.', 'it was {p} who came across it: {event}.']
PASSED = ['{q} was away that day and has the story from {p}.', '{q} tells it too, but {p} told {qhim} first.', 'all {q} knows is what {p} reported over lunch.', '{q}, who was not there, repeats what {p} said.', '{q} learned of it from {p}.', '{p} passed it on to {q} the next morning.']


def twin(rng: random.Random) -> Twin:
    proofs, events = SETTINGS[rng.choice(list(SETTINGS))]
    return proven_or_said(rng, proofs, events) if rng.random() < 0.6 else seen_or_heard(rng, events)


def proven_or_said(rng: random.Random, proofs: list[str], events: list[str]) -> Twin:
    """Three events: of the first two, one is proven and one said; the third is said in both states."""
    chosen, staff, proof = rng.sample(events, 3), people(rng, 3), rng.choice(proofs)
    count = rng.choice([2, 3])

    def render(proven: int, draw: random.Random) -> str:
        forms, ways = draw.choice(PROVEN), draw.sample(CLAIMED, 3)
        facts = []
        for i, event in enumerate(chosen[:count]):
            facts.append(capital((forms if i == proven else ways[i]).format(proof=proof, event=event, p=staff[i].name)))
        draw.shuffle(facts)
        return layout(draw, padded(draw, facts), f'Notes, {draw.choice(WEEKDAYS)}', mix=False)

    meaning = ('a record or a finding backs it', 'somebody says so, and that is all')
    questions = [polar(rng, (i == 0, i == 1), filled(IS_PROVEN, event=chosen[i]), filled(IS_TALK, event=chosen[i]), meaning) for i in (0, 1)]
    questions.append(pick(rng, ['Which of these is backed by evidence?', 'What has been proven?', 'Pick the one that is more than talk.', 'Which point is certain?', 'Which is on record?', 'What can be taken as established?'],
                          (chosen[0], chosen[1]), chosen[2:count]))
    names = {'record': 'a record or document shows it', 'word of mouth': 'only what somebody says'}
    questions.append(described(rng, filled(['How do we know that {event}?', 'What does it rest on that {event}?', 'Source of the statement that {event}:', 'On what grounds is it said that {event}?'], event=chosen[0]), names, ('record', 'word of mouth')))
    if count == 2:
        questions.append(pick(rng, ['Whose word is the text relying on?', 'Who makes a claim without proof?', 'Name the person who only says so.', 'Who has nothing to back up what they say?', 'Somebody makes an unchecked claim. Who?'],
                              (staff[1].name, staff[0].name), [staff[2].name]))
    return made(rng, both(render, (0, 1), rng), questions)


def seen_or_heard(rng: random.Random, events: list[str]) -> Twin:
    """One person saw it, the other has it from the first."""
    event, staff = rng.choice(events), people(rng, 3)

    def render(seer: int, draw: random.Random) -> str:
        p, q = staff[seer], staff[1 - seer]
        facts = [fill(draw, SAW, p=p.name, his=p.his, himself={'he': 'himself', 'she': 'herself'}[p.he], event=event), fill(draw, PASSED, p=p.name, q=q.name, qhim=q.him)]
        extra = draw.choice(['{} was told nothing at all.', '{} has not said anything about it.', '{} was on holiday that week.', '{} wrote the minutes.']).format(staff[2].name)
        return layout(draw, padded(draw, facts + [extra] * (draw.random() < 0.6)), mix=False)

    first, second = staff[0].name, staff[1].name
    questions = []
    for i, (p, q) in enumerate([(first, second), (second, first)]):
        questions.append(polar(rng, (i == 0, i == 1), [f'Did {p} witness it?', f'{p} is an eyewitness.', f'Does {p} know it at first hand?', f'{p} did not need {q} to find out.', f'Was {p} there?', f'{p} is where {q} got the story from.', f'{q} learned of it through {p}.'],
                             [f'Is {p} repeating what {q} said?', f'{p} has it at second hand.', f'Was it {q} who told {p}?', f'{p} knows of it only because of {q}.', f'Is {p} passing on a story?', f'{p} did not see it.'],
                             (f'{p} noticed it directly', f'{p} was told')))
    third = [staff[2].name]
    questions.append(pick(rng, ['Who saw it?', 'Whose account is first-hand?', 'Who is the original source?', 'From whom does the story come in the end?', 'Who should be questioned as an eyewitness?', 'Which of them was on the spot?'], (first, second), third))
    questions.append(pick(rng, ['Who merely heard of it?', 'Whose account is second-hand?', 'Who was told by somebody else?', 'Who is repeating a story?', 'Which of them passes on what another reported?'], (second, first), third))
    return made(rng, both(render, (0, 1), rng), questions)
