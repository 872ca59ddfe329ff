"""Teaches what is done against what is promised, planned, begun, attempted, asked for or refused."""
import random

from .asking import both, described, pick, polar
from .people import JOBS, Job, people
from .twin import Twin, score
from .wording import cap, lay_out, with_asides, words

# {who}, {base} 'book the hall', {done} 'booked the hall', {doing}, {what} 'the hall', {is}, {pp} 'booked', {has}, {was}
TELL = {
    'done': ('{who} {past}.', '{who} has {done}.', '{who}: {what} {is} {pp}, tick it off.', '{what} {was} {pp} by {who} yesterday.', 'Thanks to {who}, {what} {is} {pp}.', '{who} told us to strike it from the list, having {done}.', 'It took {who} an hour to {base}, and that is behind us.', '{who} managed to {base} before lunch.'),
    'promised': ('{who} will {base} tomorrow.', '{who} promised to {base}.', '{who} has agreed to {base}.', 'Tomorrow {who} means to {base}.', '{who} gave us {his} word that {what} would be {pp}.', '{who} is going to {base} as soon as the rain stops.', '"Leave it to me," {who} said when asked to {base}.', '{who} has put it in the diary for Friday: {base}.'),
    'begun': ('{who} is busy {doing} at the moment.', '{who} has begun to {base} but is not through.', '{who} is in the middle of {doing}.', '{who} is halfway through {doing}.', 'Right now {who} is {doing}.', '{who} started {doing} this morning and carries on after lunch.'),
    'failed': ('{who} tried to {base}, without success.', '{who} wanted to {base}, but the very first step went wrong and {he} left it at that.', '{who} set out to {base} and had to give up.', 'The attempt of {who} to {base} came to nothing.', '{who} could not {base}: the system was down.', '{who} would have {done} if the papers had been complete.'),
    'refused': ('{who} refused to {base}.', '{who} says it is not {his} job to {base}.', 'Asked to {base}, {who} said no.', '{who} will not {base}.', '{who} wants nothing to do with {doing}.', '{who} declined to {base}.'),
    'asked': ('{who} was asked to {base} and has not replied.', 'We sent {who} a note to {base}; no answer so far.', 'Somebody should ask {who} again to {base}, as the first message is unanswered.', 'The request to {who} to {base} is still unread.', 'Whether {who} is willing to {base}, nobody has heard.', 'I left {who} a message: please {base}. Silence since then.'),
}
MEANS = {'done': 'finished', 'promised': 'announced for later, nothing done so far', 'begun': 'under way, not finished', 'failed': 'attempted, without result', 'refused': 'turned down by the person', 'asked': 'requested, no answer yet'}
TITLES = ('Stand-up', 'Committee list', 'Notes from the call', 'Festival crew', 'Shift handover', 'Clinic office', 'Building log', 'To-do review', 'Parents council', 'Release checklist', None, None)
DONE = ('{What} {is} {pp}.', '{What} {has} been {pp}.', '{who} has {done}.', 'Can {what} be ticked off?', 'Did {who} {base}?', '{Is} {what} {pp} by now?', 'The job given to {who} is finished.')
OPEN = ('{What} {has} yet to be {pp}.', '{What} {has} not been {pp} so far.', '{who} has not {done}.', 'Must {what} stay on the list?', 'Does somebody still have to {base}?', '{Is} {what} still not {pp}?', 'The job given to {who} remains open.')
WILLING = {'promised': ('{who} has said yes to {doing}, but for later.', 'Is there only the word of {who} that {what} will be {pp}?', 'What we have from {who} is an intention.'), 'begun': ('{who} is at work on it.', 'Has {who} got part of the way with {doing}?', '{who} has started but is not through.'),
           'failed': ('{who} made an attempt that did not work.', 'Did {who} try to {base} in vain?', 'Circumstances kept {who} from {doing}.'), 'refused': ('{who} is unwilling to {base}.', 'Did {who} say no?', 'Another person must be found to {base}, as {who} turned it down.'), 'asked': ('It is unknown whether {who} agrees.', 'Are we waiting for an answer from {who}?', '{who} has left a request unanswered.')}
UNWILLING = ('This describes {who}: {m}.', 'Status of the job of {who}: {m}.')


def words_of(job: Job, who: object) -> dict[str, str]:
    what = job.what
    return {'who': who.name, 'his': who.his, 'he': who.he, 'him': who.him, 'base': f'{job.base} {what}', 'done': f'{job.done} {what}', 'past': f'{job.past} {what}', 'doing': f'{job.doing} {what}', 'what': what, 'What': cap(what), 'pp': job.done,
            'is': job.be(), 'Is': cap(job.be()), 'has': job.be('perfect'), 'was': job.be('past')}


def twin(rng: random.Random) -> Twin:
    n = rng.randint(2, 4)
    persons, jobs, title = people(rng, n), rng.sample(JOBS, n), rng.choice(TITLES)
    statuses = [rng.choice(list(TELL)) for _ in range(n)]
    # half the time one of the two is 'done', the chief trap being a promise taken for the deed
    old, new = rng.sample(list(TELL), 2) if rng.random() < .35 else rng.sample(['done', rng.choice([s for s in TELL if s != 'done'])], 2)
    forms = [rng.random() for _ in range(n)]
    sequence = rng.sample(range(n), n)

    def render(status: str, local: random.Random) -> object:
        now = [status, *statuses[1:]]
        lines = []
        for i in sequence:
            tell = TELL[now[i]]
            lines.append(cap(tell[int(forms[i] * len(tell))].format(**words_of(jobs[i], persons[i]))))
        return lay_out(local, with_asides(local, lines), title)

    states = both(render, (old, new), rng)
    w = words_of(jobs[0], persons[0])
    fill = lambda forms_: [cap(f.format(**w)) for f in forms_]
    questions = []
    if 'done' in (old, new):
        questions.append(polar(rng, (old == 'done', new == 'done'), fill(DONE), fill(OPEN), (f"{w['what']} {w['has']} actually been {w['pp']}", f"{w['what']} {w['has']} not been {w['pp']}, whatever was said or tried")))
    asked = old if old != 'done' and (new == 'done' or rng.random() < .5) else new
    if rng.random() < .6 or not questions:
        questions.append(polar(rng, (old == asked, new == asked), fill(WILLING[asked]) + [cap(f.format(m=MEANS[asked], **w)) for f in UNWILLING]))
    if rng.random() < .7:
        options = {key: MEANS[key] for key in dict.fromkeys((old, new, *rng.sample(list(MEANS), rng.randint(1, 4))))}
        questions.append(described(rng, [f"Where do things stand with {w['what']}?", f"State of the job '{w['base']}'", f"{w['who']} and {w['what']}: what is the status?", f"How far has {w['who']} got?"], options, (old, new)))
    ready = lambda status: sum(s == 'done' for s in [status, *statuses[1:]])
    if rng.random() < .5 and ready(old) != ready(new):
        questions.append(pick(rng, ['How many of the jobs named are finished?', 'Number of jobs that can be struck off the list', 'How many people have done what they were to do?'], (words(ready(old)), words(ready(new))), [words(k) for k in range(n + 1)], most=5, fixed=True))
    if len(questions) == 1 or rng.random() < .2:
        pairs = {status: f"{w['what']}: {MEANS[status]}" for status in dict.fromkeys((old, new, *rng.sample(list(MEANS), 2)))}
        questions.append(pick(rng, [f"Which line about {w['what']} is right?", f"The right note on {w['what']} would be", f"{w['who']} asks for a summary of {w['what']}. Which?"], (pairs[old], pairs[new]), list(pairs.values()), most=5, opaque=.6, fixed=True))
    level = {'refused': 0, 'asked': 0, 'failed': 0, 'promised': 0, 'begun': 1, 'done': 2}
    if level[old] != level[new] and rng.random() < .5:
        questions.append(score(rng.choice([f"How much of the work on {w['what']} has been carried out?", f"Progress on {w['what']}:", f"{cap(w['doing'])}: how far?"]), ['nothing carried out', 'part of it', 'all of it'], (level[old], level[new])))
    return Twin(states, questions)
