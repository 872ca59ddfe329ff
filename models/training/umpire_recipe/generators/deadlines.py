"""Teaches deadlines: whether something was in time, how early or late, with dates in words, extensions, 'by' against 'before', and times of day."""
import datetime
import random
from dataclasses import dataclass

from .asking import both, pick, polar, without_repeats
from .people import DOCUMENTS, people
from .twin import Twin, score
from .wording import a, cap, day, lay_out, possessive, with_asides, words

SETTINGS = ['Grant office', 'Town hall', 'Course page', 'Tax desk', 'Editorial team', 'Permit office', 'Bank mailbox', 'Housing association', 'Project tracker', 'Clinic records', 'Insurance desk', 'Port authority']
DUE_ON = ('{a_doc} has to reach us by {d} at the latest.', 'Last day for every {doc}: {d}.', 'We take the {doc} up to and including {d}.', 'Deadline for the {doc}: end of {d}.', 'The {doc} must be in no later than {d}.', 'Each {doc} is due on {d}; anything after that is late.', 'You have until the evening of {d} to hand in the {doc}.')
DUE_BEFORE = ('The {doc} must be in before {d}; that day itself is too late.', 'Only what arrives earlier than {d} counts, for every {doc}.', 'On {d} the list is already closed, so send the {doc} sooner.', 'The {doc} has to be here ahead of {d}, not on the day.', 'From {d} on no {doc} is taken any more.', 'We stop accepting the {doc} as {d} begins.')
SENT = ('{who} handed in the {doc} on {d}.', 'The {doc} from {who} arrived on {d}.', "{who}'s {doc} reached us on {d}.", 'On {d} {who} submitted the {doc}.', 'Received on {d}: {doc}, {who}.', 'Stamp on the {doc} of {who}: {d}.', '{who} dropped the {doc} off on {d}.')
EXTEND = ('{who} was granted {n} extra days.', 'For {who} alone the date was moved back by {n} days.', '{who} asked for {n} days more and got them.', 'An extension of {n} days was approved for {who}.', '{who} may take {n} days longer than the others.', 'Because of illness {who} has {n} additional days.')
REFUSED = ('{who} asked for {n} days more, which was refused.', 'An extension of {n} days for {who} was turned down.', 'The request of {who} for {n} extra days was denied.', '{who} wanted {n} additional days but did not get them.', 'No to {who}, who hoped for {n} days longer.', '{who} was told that {n} more days were out of the question.')
NOISE = ('The office is closed on {d}.', 'A reminder went out on {d}.', 'Results are published on {d}.', 'The form was put online on {d}.', 'The first draft is dated {d}.', 'The next round opens on {d}.')
IN_TIME = ('{who} met the deadline.', "Was {whose} {doc} in time?", '{who} handed the {doc} in punctually.', 'Did the {doc} of {who} arrive soon enough?', 'Can {whose} {doc} be accepted as on time?', 'There is no delay to hold against {who}.', '{who} kept to the date.')
LATE = ('{who} missed the deadline.', 'Was {whose} {doc} late?', '{who} was too late with the {doc}.', 'Did the {doc} of {who} come after the date allowed?', 'Must {whose} {doc} be turned away as overdue?', '{who} overran the date.', 'The {doc} from {who} came in too late to count.')


@dataclass(frozen=True)
class Case:
    sent: datetime.date
    granted: bool
    extra: int


def twin(rng: random.Random) -> Twin:
    doc, (who, rival) = rng.choice(DOCUMENTS).one, [p.name for p in people(rng, 2)]
    date = datetime.date(rng.randint(2024, 2027), rng.randint(1, 12), rng.randint(1, 28))
    inclusive = rng.random() < .6
    shift = lambda n: date + datetime.timedelta(days=n)
    last = 0 if inclusive else -1  # the last day in time, counted from the stated date
    offsets = [0, -1, 1, 2, -2, 3, -4, 6, 9, -8]
    with_extension = rng.random() < .4
    extra = rng.randint(2, 10)
    late = lambda c: (c.sent - date).days - last - (c.extra if c.granted else 0)  # days late, or days in hand where negative
    if with_extension and rng.random() < .6:  # what differs is whether the extension was granted
        sent = shift(last + rng.randint(1, extra))
        cases = [Case(sent, True, extra), Case(sent, False, extra)]
    else:
        granted = with_extension and rng.random() < .5
        pool = [Case(shift(last + o + (extra if granted else 0)), granted, extra if with_extension else 0) for o in offsets]
        cases = [rng.choice([c for c in pool if late(c) <= 0]), rng.choice([c for c in pool if late(c) > 0])]
    rng.shuffle(cases)
    due_form, sent_form, noise = rng.choice(DUE_ON if inclusive else DUE_BEFORE), rng.choice(SENT), rng.choice(NOISE) if rng.random() < .5 else ''
    extend_i, rival_sent, rival_form = rng.randrange(6), shift(last + rng.choice(offsets)), rng.choice(SENT)
    has_rival, title = rng.random() < .7, rng.choice([None, *SETTINGS])
    noise_date = shift(rng.choice([-20, -13, 11, 17]))

    def render(c: Case, local: random.Random) -> object:
        fill = lambda form, d, person: form.format(doc=doc, a_doc=cap(a(doc)), d=day(local, d), who=person)
        lines = [fill(due_form, date, ''), fill(sent_form, c.sent, who)]
        if with_extension:
            lines.append((EXTEND if c.granted else REFUSED)[extend_i].format(who=who, n=words(extra)))
        if has_rival:
            lines.append(fill(rival_form, rival_sent, rival))
        if noise:
            lines.append(fill(noise, noise_date, ''))
        local.shuffle(lines)
        return lay_out(local, with_asides(local, lines), title)

    states = both(render, cases, rng)
    lates = (late(cases[0]), late(cases[1]))
    on_time = (lates[0] <= 0, lates[1] <= 0)
    fill = lambda forms: [f.format(who=who, whose=possessive(who), doc=doc) for f in forms]
    questions = [polar(rng, on_time, fill(IN_TIME), fill(LATE), ('it came within the time allowed to that person', 'it came after the time allowed to that person'))]
    if rng.random() < .6:
        tell = lambda n: 'on the last day' if n == 0 else f"{words(abs(n))} {'day' if abs(n) == 1 else 'days'} {'late' if n > 0 else 'early'}"
        questions.append(pick(rng, [f'How early or late was {who}?', f'{possessive(who)} {doc}, measured against the last day allowed to {who}, came', f'Distance from the last permitted day for {who}'], (tell(lates[0]), tell(lates[1])),
                              [tell(n) for x in lates for n in (-x, x + 1, x - 1, x + (extra if with_extension else 2))], most=6))
    if rng.random() < .6:
        questions.append(score(rng.choice([f'How late was {who}?', f'{who}: punctual or not?', f'Delay of the {doc} from {who}']), ['in time', 'one or two days late', 'three to five days late', 'more than five days late'],
                               tuple(0 if n <= 0 else 1 if n < 3 else 2 if n < 6 else 3 for n in lates)))
    if has_rival and rng.random() < .7:
        ok = (rival_sent - date).days <= last
        labels = {(True, True): 'both of them', (True, False): who, (False, True): rival, (False, False): 'neither of them'}
        questions.append(pick(rng, ['Who was in time?', 'Whose papers count as on time?', f'Who kept to the date for the {doc}?', 'Whose submission may be accepted as punctual?'], (labels[on_time[0], ok], labels[on_time[1], ok]), list(labels.values()), most=4, fixed=True))
        if cases[0].sent != cases[1].sent and all(c.sent != rival_sent for c in cases) and (cases[0].sent < rival_sent) != (cases[1].sent < rival_sent):
            questions.append(polar(rng, (cases[0].sent < rival_sent, cases[1].sent < rival_sent), [f'{who} was sooner than {rival}.', f'Did {possessive(who)} {doc} come in ahead of the one from {rival}?', f'{rival} submitted later than {who}.'],
                                   [f'{rival} was sooner than {who}.', f'Did the {doc} from {rival} come in ahead of the one from {who}?', f'{who} submitted later than {rival}.']))
    elif with_extension and cases[0].granted != cases[1].granted:
        questions.append(polar(rng, (cases[0].granted, cases[1].granted), [f'{who} got more time.', f'Was {who} allowed extra days?', f'A longer period applied to {who}.'], [f'{who} got no more time.', f'Did the original date stand for {who}?', f'The request for extra days by {who} failed.']))
    if len(questions) == 1:
        questions.append(polar(rng, (not on_time[0], not on_time[1]), fill(LATE), fill(IN_TIME)))
    return Twin(states, without_repeats(questions))
