"""Teaches parity of negations: 'did not forget to', 'nobody denies that', 'the rejection of the ban was overturned', counted out by code."""
import random

from .asking import both, described, pick, polar
from .people import CITIES, DEPARTMENTS, JOBS, people
from .promised_or_done import words_of
from .twin import Twin
from .wording import cap, lay_out, with_asides

# One person and one job. By the number of turns from 'it was done': even forms say it was done, odd forms that it was not.
EVEN = ('{who} did not forget to {base}.', '{who} did not fail to {base}.', 'The rumour that {who} had not {done} is false.', '{who} denies having left without {doing}, and the camera bears {him} out.', 'Nobody can say that {who} neglected to {base}.',
        'It was wrong to claim that {who} never {past}.', '{who} could not leave without {doing}, and {he} did leave.', 'There is no doubt that {who} has {done}.', 'I take back what I said about {who} having failed to {base}: that was a mistake.', 'Far from omitting to {base}, {who} did it first thing.', 'Not once did {who} skip {doing}, and today was no exception.')
ODD = ('{who} did not remember to {base}.', '{who} failed to {base}.', 'It is not true that {who} {past}.', 'The rumour that {who} had {done} is false.', '{who} does not deny that {he} left without {doing}.', 'Nobody can deny that {who} failed to {base}.',
       'It was wrong to claim that {who} ever {past}.', '{who} left without {doing}.', 'There is no doubt that {who} has not {done}.', 'I take back what I said about {who} having {done}: that was a mistake.', 'Far from {doing}, {who} did not even look at it.', '{who} did not refuse to {base}, yet never got round to it.')
ASK_DONE = ('{who} {past}.', 'Did {who} {base}?', '{What} {has} been {pp}.', 'The job of {who} is done.', '{Was} {what} {pp}?', 'Can {who} be ticked off for {doing}?')
ASK_NOT = ('{who} did not {base}.', 'Did {who} leave {what} undealt with?', '{What} {has} not been {pp}.', 'The job of {who} is not done.', '{Has} {what} still to be {pp}?', 'Does {who} have nothing to show for {what}?')

# A chain of decisions on one rule: each step turns the outcome or leaves it.
THINGS = (('dogs on the beach', 'are'), ('music after ten', 'is'), ('street parking', 'is'), ('open fires', 'are'), ('scooters in the park', 'are'), ('remote work on Fridays', 'is'), ('plastic cups at the fair', 'are'), ('drones over the square', 'are'), ('calculators in the exam', 'are'), ('visitors after eight', 'are'), ('external USB sticks', 'are'), ('automatic refunds', 'are'),
          ('ball games in the yard', 'are'), ('phones in class', 'are'), ('pets in the flats', 'are'), ('barbecues on balconies', 'are'), ('anonymous posts', 'are'), ('alcohol on the train', 'is'), ('photography in the hall', 'is'), ('swimming in the lake', 'is'))
BODIES = ('the council', 'the board', 'the committee', 'the school', 'the tenants\' meeting', 'the court', 'the safety panel', 'the works council', 'the moderators', 'the owners')
BANS = ('{body} banned {thing}', '{body} forbade {thing}', '{body} put a ban on {thing}', '{thing} had been prohibited by {body}', '{body} ruled out {thing}', '{body} issued a rule against {thing}')
# (text, turns): what happened next to the ban
NEXT_ONE = (('{later} {body2} lifted the ban', True), ('{later} {body2} confirmed the ban', False), ('{later} {body2} refused to lift the ban', False), ('{later} {body2} struck the ban down', True), ('{later} {body2} rejected an appeal against the ban', False), ('{later} {body2} upheld an appeal against the ban', True),
            ('{later} {body2} voted not to keep the ban', True), ('{later} {body2} voted not to drop the ban', False), ('{later} {body2} declined to withdraw the ban', False), ('{later} {body2} did not renew the ban, which then lapsed', True), ('{later} a motion to end the ban was defeated', False), ('{later} a motion to end the ban was carried', True))
NEXT_TWO = (('that decision was overturned in {month}', True), ('that decision was left untouched in {month}', False), ('in {month} an attempt to reverse this came to nothing', False), ('in {month} this was reversed', True), ('{month} brought an about-turn on that decision', True), ('in {month} nobody opposed that decision any longer', False))
ALLOWED = ('{Thing} {be} allowed now.', '{Be} {thing} permitted as things stand?', 'There is no ban on {thing} in force.', 'Does the final state of affairs leave people free as regards {thing}?', 'Nothing now stands against {thing}.')
BANNED = ('{Thing} {be} forbidden now.', '{Be} {thing} prohibited as things stand?', 'There is a ban on {thing} in force.', 'Does the final state of affairs stop people as regards {thing}?', 'A rule against {thing} applies now.')


def person_twin(rng: random.Random) -> Twin:
    n = rng.randint(2, 4)
    persons, jobs = people(rng, n), rng.sample(JOBS, n)
    facts = [rng.random() < .5 for _ in range(n)]
    first = rng.random() < .5
    forms, order = [rng.random() for _ in range(n)], rng.sample(range(n), n)
    title = rng.choice([None, 'Inspection', 'Camp diary', 'Office round', 'Ward round', 'Warehouse check', 'Release notes', 'Club minutes'])

    def render(done: bool, local: random.Random) -> object:
        now = [done, *facts[1:]]
        pools = [EVEN if flag else ODD for flag in now]
        return lay_out(local, [pools[i][int(forms[i] * len(pools[i]))].format(**words_of(jobs[i], persons[i])) for i in order], title)

    states = both(render, (first, not first), rng)
    w = words_of(jobs[0], persons[0])
    w |= {'Was': cap(w['was']), 'Has': cap(w['has'])}
    fill = lambda forms_: [cap(f.format(**w)) for f in forms_]
    truth = (first, not first)
    questions = [polar(rng, truth, fill(ASK_DONE), fill(ASK_NOT), (f"{w['who']} {w['past']}", f"{w['who']} did not {w['base']}"))]
    i = rng.randrange(1, n)
    labels = {(True, True): 'both', (True, False): f'only {persons[0].name}', (False, True): f'only {persons[i].name}', (False, False): 'neither'}
    questions.append(pick(rng, [f'{persons[0].name} and {persons[i].name}: who did the job?', f'Of {persons[i].name} and {persons[0].name}, who has done what was wanted?', f'Job done: {persons[0].name}, {persons[i].name}?'], (labels[first, facts[i]], labels[not first, facts[i]]), list(labels.values()), most=4, fixed=True, opaque=.15))
    if rng.random() < .5:
        total = (first + sum(facts[1:]), (not first) + sum(facts[1:]))
        questions.append(pick(rng, ['How many of the jobs were done?', 'Number of people who did theirs', 'In how many cases was the job carried out?'], (str(total[0]), str(total[1])), [str(k) for k in range(n + 1)], most=5, fixed=True))
    if rng.random() < .4:
        questions.append(polar(rng, truth, fill(f'The text says in a roundabout way that {{who}} {{past}}.|It would be wrong to deny that {{who}} {{past}}.|Is it false that {{who}} did not {{base}}?'.split('|')), fill('It would be right to deny that {who} {past}.|Is it false that {who} {past}?|It would be untrue that {who} {past}.'.split('|'))))
    return Twin(states, questions)


def rule_twin(rng: random.Random) -> Twin:
    (thing, be), (body, body2) = rng.choice(THINGS), rng.sample(BODIES, 2)
    ban, chain = rng.choice(BANS), rng.random() < .5
    one, two = rng.choice(NEXT_ONE), rng.choice(NEXT_TWO)
    months = rng.choice([('March', 'June'), ('May', 'October'), ('January', 'April'), ('July', 'December')])
    if chain and rng.random() < .5:
        other = (one, rng.choice([step for step in NEXT_TWO if step[1] != two[1]]))
    else:
        other = (rng.choice([step for step in NEXT_ONE if step[1] != one[1]]), two)
    cases = [(one, two), other]
    rng.shuffle(cases)
    year, city, title = rng.randint(2019, 2025), rng.choice(CITIES), rng.choice([None, 'House rules: history', 'Notice', 'Local news', 'Policy changes'])
    aside = rng.choice([f'The {rng.choice(DEPARTMENTS)} office keeps the papers.', f'The story was told in the {city} paper.', 'Many had written in, for and against.', f'Fines in {city} are another matter.', 'Feelings ran high.', ''])

    def render(case: tuple, local: random.Random) -> object:
        told = [ban.format(body=body, thing=thing) + f' in {year}.', case[0][0].format(later=f'in {months[0]} {year + 1}', body2=body2) + '.']
        if chain:
            told.append(case[1][0].format(month=f'{months[1]} {year + 1}') + '.')
        if aside:
            told.append(aside)
        return lay_out(local, with_asides(local, told, 1), title)

    allowed = tuple(bool((c[0][1] + (c[1][1] if chain else 0)) % 2) for c in cases)
    states = both(render, cases, rng)
    fill = lambda forms: [f.format(thing=thing, Thing=cap(thing), be=be, Be=cap(be)) for f in forms]
    questions = [polar(rng, allowed, fill(ALLOWED), fill(BANNED), ('the ban is no longer in force', 'the ban is in force'))]
    names = tuple('allowed' if x else 'forbidden' for x in allowed)
    questions.append(described(rng, [f'What holds for {thing} now?', f'{cap(thing)}: where do things stand at the end?', f'Outcome on {thing}'], {'allowed': 'people may; no ban in force', 'forbidden': 'people may not; the ban is in force'}, names))
    if chain and rng.random() < .7:  # between the two later steps
        middle = tuple(c[0][1] for c in cases)
        if middle[0] != middle[1]:
            questions.append(polar(rng, middle, [f'Between the two later dates, {thing} {be} allowed for a time.'.replace(f' {be} allowed', f" {'were' if be == 'are' else 'was'} allowed")], [f"Between the two later dates, {thing} {'were' if be == 'are' else 'was'} still banned."]))
    if rng.random() < .5:
        questions.append(polar(rng, allowed, fill(['It would be wrong to say that {thing} {be} forbidden now.', 'Somebody who says that {thing} {be} still ruled out is mistaken.', 'Must a fine for {thing} be cancelled as unfounded today?']), fill(['It would be wrong to say that {thing} {be} allowed now.', 'Somebody who says that {thing} {be} permitted again is mistaken.', 'Is a complaint about {thing} well founded today?'])))
    return Twin(states, questions)


def twin(rng: random.Random) -> Twin:
    return person_twin(rng) if rng.random() < .55 else rule_twin(rng)
