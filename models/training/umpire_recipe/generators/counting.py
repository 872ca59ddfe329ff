"""Teaches counting: how many of a list fall into a class told in other words, which class is largest, and who belongs to it."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .people import people
from .twin import State, Twin, score
from .wording import cap, lay_out, listed, table, with_asides, words


@dataclass(frozen=True)
class Setting:
    """classes: label -> (ways to say it of {who}, word for a log or table). noun: what is counted, as 'guest'."""

    title: str
    noun: tuple[str, str]
    classes: dict[str, tuple[tuple[str, ...], str]]


S = Setting
SETTINGS = [
    S('Wedding replies', ('guest', 'guests'), {'coming': (('{who} will be there', '{who} is looking forward to it', '{who} says yes, with pleasure', '{who} has booked the train for it'), 'yes'), 'not coming': (('{who} sends regrets', '{who} has to work that day', '{who} will be abroad and misses it', '{who} cannot make it'), 'no'), 'undecided': (('{who} will let us know by June', '{who} may or may not make it', '{who} has to ask at work first', '{who} has not made up {his} mind'), 'maybe')}),
    S('Register', ('pupil', 'pupils'), {'in time': (('{who} was in the seat when the bell rang', '{who} came early', '{who} was there from the start', '{who} was the first to sit down'), 'present'), 'late': (('{who} came in ten minutes after the bell', '{who} missed the first quarter of an hour', '{who} slipped in after the start', '{who} was held up by the bus and joined later'), 'late'), 'absent': (('{who} is at home with a cold', '{who} did not come at all', 'the seat of {who} stayed empty', '{who} has been off sick all week'), 'absent')}),
    S('Deploys', ('service', 'services'), {'up': (('{who} answers as it should', '{who} is healthy', '{who} came back after the restart', 'all checks of {who} pass'), 'OK'), 'down': (('{who} does not respond', '{who} keeps crashing', '{who} could not be brought back', 'nobody can reach {who}'), 'FAIL'), 'skipped': (('{who} was left out of this round', '{who} stays on the old version by request', 'nothing was done to {who} today', '{who} is frozen until Monday'), 'SKIP')}),
    S('Parcel round', ('parcel', 'parcels'), {'delivered': (('the parcel for {who} was handed over', '{who} signed for the parcel', 'the parcel of {who} lies in the agreed shed', '{who} took the parcel at the door'), 'handed over'), 'returned': (('the parcel for {who} went back to the sender', '{who} refused the parcel', 'nobody of the name {who} lives there, so the parcel travels back', 'the parcel for {who} was sent back'), 'back to sender'), 'at the depot': (('the parcel for {who} waits at the depot', '{who} can fetch the parcel at the counter', 'the parcel for {who} was not loaded and stayed behind', 'the parcel for {who} is kept until {who} calls'), 'depot')}),
    S('Support queue', ('ticket', 'tickets'), {'solved': (("{possessive} ticket is closed with thanks", 'what {who} asked for works now', '{who} wrote that all is well again', 'the fix helped {who}'), 'closed'), 'waiting for the customer': (('we asked {who} for a log and have heard nothing', '{who} has yet to answer our question', 'the ball is with {who}', '{who} was to send a screenshot'), 'pending customer'), 'waiting for us': (('{who} wrote again and is waiting for us', 'nobody has looked at the message from {who}', 'we owe {who} an answer', 'the mail of {who} lies unread in our inbox'), 'pending us')}),
    S('Screening day', ('patient', 'patients'), {'healthy': (('{who} was sent home with a clean bill', 'nothing was found with {who}', '{possessive} results are all normal', '{who} is fine'), 'no finding'), 'to be seen again': (('{who} is to come back in a month', 'a second look at {who} is booked', '{who} will be checked once more', 'we want to see {who} again soon'), 'recall'), 'referred': (('{who} was passed on to the hospital', '{who} goes to a specialist', 'a letter to the heart clinic went with {who}', '{who} is now in the hands of the hospital'), 'referral')}),
    S('Chess club', ('player', 'players'), {'won': (('{who} won', '{who} took the full point', 'the opponent of {who} resigned', '{who} gave checkmate'), '1-0'), 'lost': (('{who} lost', '{who} resigned', '{who} was mated', '{who} ran out of time and went home with nothing'), '0-1'), 'drew': (('{who} drew', '{who} shared the point', '{who} agreed to a draw', 'neither {who} nor the opponent could win'), 'draw')}),
]
SERVICES = 'auth billing search mailer gateway reports cart catalog login uploader scheduler inventory proxy metrics chat export'.split()


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    n = rng.randint(4, 8)
    persons = people(rng, n)
    who = rng.sample(SERVICES, n) if s.title == 'Deploys' else [p.name for p in persons]
    labels = list(s.classes)
    given = [rng.choice(labels) for _ in range(n)]
    i = rng.randrange(n)
    other = [*given]
    other[i] = rng.choice([label for label in labels if label != given[i]])
    cases = [given, other]
    forms, shape = [rng.randrange(4) for _ in range(n)], rng.random()
    start = rng.randrange(420, 1200)
    times = [start + 2 * k + rng.randrange(2) for k in range(n)]
    title = rng.choice([None, s.title, cap(s.noun[1]), 'Overview', 'Today'])
    joined = rng.random() < .4

    def render(now: list[str], local: random.Random) -> State:
        if shape < .15:
            return table([s.noun[0], 'status'], [[who[k], s.classes[now[k]][1]] for k in range(n)])
        if shape < .25:
            return [{s.noun[0]: who[k], 'status': s.classes[now[k]][1]} for k in range(n)]
        if shape < .35:
            return '\n'.join(f'{times[k] // 60:02d}:{times[k] % 60:02d} {who[k]}: {s.classes[now[k]][1]}' for k in range(n))
        clauses = [s.classes[now[k]][0][forms[k]].format(who=who[k], his=persons[k].his, possessive=f"{who[k]}'s") for k in range(n)]
        if joined:  # two or three clauses a sentence
            sentences, k = [], 0
            while k < n:
                size = local.randint(1, 3)
                sentences.append(listed(clauses[k:k + size]) if size < 3 else '; '.join(clauses[k:k + size]))
                k += size
            return lay_out(local, [sentence + '.' for sentence in sentences], title)
        return lay_out(local, with_asides(local, [clause + '.' for clause in clauses], 1), title)

    states = both(render, cases, rng)
    one, many = s.noun
    changed = [given[i], other[i]]
    label = rng.choice(changed)
    count = tuple(case.count(label) for case in cases)
    kind = f'fall under "{label}"' if rng.random() < .5 else f'are to be counted as "{label}"'
    # the numbers near the right ones as options, in words or digits
    near = range(max(0, min(count) - 2), min(n, max(count) + 2) + 1)
    style = rng.choice([words, str])
    questions = [pick(rng, [f'How many {many} {kind}?', f'Number of {many}: {label}', f'Count the {many}. How many are "{label}"?', f'{cap(label)}: how many {many}?'], (style(count[0]), style(count[1])), [style(k) for k in near], most=6)]
    point = min(count)
    questions.append(polar(rng, (count[0] > point, count[1] > point), [f'More than {words(point)} {many} {kind}.' if point != 1 else f'More than one of the {many} may be called "{label}".', f'Are there at least {words(point + 1)} {many} under "{label}"?', f'"{cap(label)}" is true of {words(point + 1)} {many} or more.'],
                           [f'No more than {words(point)} of the {many} {kind}.' if point else f'Not one of the {many} may be called "{label}".', f'Are there fewer than {words(point + 1)} {many} under "{label}"?', f'"{cap(label)}" is true of fewer than {words(point + 1)} {many}.']))
    if rng.random() < .6:
        questions.append(pick(rng, [f'Where does {who[i]} belong?', f'Status of {who[i]}', f'How is {who[i]} to be counted?'], (cases[0][i], cases[1][i]), labels, most=3, fixed=True))
    largest = []
    for case in cases:
        counts = sorted(((case.count(l), l) for l in labels), reverse=True)
        largest.append('a tie' if counts[0][0] == counts[1][0] else counts[0][1])
    if rng.random() < .7 and largest[0] != largest[1]:
        questions.append(pick(rng, [f'Which group of {many} is the largest?', 'The most frequent status is', f'Into which group do most of the {many} fall, if any is ahead?'], (largest[0], largest[1]), [*labels, 'a tie'], most=4, fixed=True))
    a_label, b_label = changed
    compare = tuple((case.count(a_label) > case.count(b_label)) - (case.count(a_label) < case.count(b_label)) + 1 for case in cases)
    if compare[0] != compare[1] and rng.random() < .6:
        questions.append(score(f'Compared with "{b_label}", "{a_label}" has', [f'fewer {many}', f'as many {many}', f'more {many}'], compare))
    return Twin(states, questions)
