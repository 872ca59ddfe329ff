"""Teaches which of several rules wins: first match, last match, stated rank, or the more particular; and who is served first in a queue with ranks and times."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .people import CITIES, DEPARTMENTS, people
from .twin import State, Twin, score
from .wording import a, cap, clock, lay_out, ordinal_words, table, words


@dataclass(frozen=True)
class Setting:
    """noun: what is routed. tests: condition as in a rule -> (statement that it holds, statement that it does not). targets: where a rule may send it."""

    title: str
    noun: str
    tests: dict[str, tuple[str, str]]
    targets: tuple[str, ...]


S = Setting
SETTINGS = [
    S('Mail filter', 'message', {'it comes from outside the firm': ('its sender works for another firm', 'a colleague sent it'), 'it has an attachment': ('a file hangs on it', 'there is nothing attached'), 'it mentions an invoice': ('the text speaks of an invoice', 'no invoice is mentioned'), 'it is longer than a page': ('it runs over three pages', 'it has four lines'), 'it is marked urgent': ('the sender flagged it as urgent', 'it bears no urgent mark')}, ('the Accounts folder', 'quarantine', 'the archive', "the boss's inbox", 'the trainee', 'the spam folder')),
    S('Firewall', 'packet', {'it goes to port 22': ('its destination port is 22', 'its destination port is 443'), 'it comes from the office network': ('an office computer sent it', 'it comes from the open internet'), 'it is larger than a kilobyte': ('its size is three kilobytes', 'its size is 200 bytes'), 'it arrives at night': ('it arrives at 3 am', 'it arrives at noon'), 'its sender is on the watch list': ('the watch list names its sender', 'its sender is not on the watch list')}, ('drop', 'allow', 'log and allow', 'send to inspection', 'slow down', 'reject with a notice')),
    S('Claims desk', 'claim', {'it is above 1,000 euros': ('the sum is 1,800 euros', 'the sum is 300 euros'), 'it concerns a car': ('a car was dented', 'a fence was broken'), 'somebody was hurt': ('a cyclist broke an arm', 'nobody was hurt'), 'it comes from a new customer': ('the customer joined last week', 'the customer has been with us for ten years'), 'the report came late': ('it was reported after six weeks', 'it was reported the same day')}, ('the senior clerk', 'the doctor on the panel', 'automatic payment', 'the fraud team', 'the branch office', 'the legal adviser')),
    S('Sorting plant', 'parcel', {'it is fragile': ('there is glass inside', 'it holds nothing but socks'), 'it goes abroad': ('it travels to another country', 'it stays in the country'), 'it weighs over ten kilos': ('it weighs fourteen kilos', 'it weighs three kilos'), 'express was paid': ('the sender paid for express', 'the sender paid the normal rate'), 'the address is incomplete': ('the house number is missing', 'the address is complete')}, ('belt 1', 'belt 2', 'the hand-sorting table', 'the night lorry', 'the cage', 'the customs shelf')),
    S('Support agent', 'request', {'it concerns a refund': ('money is to be paid back', 'no refund is asked for'), 'the customer has the gold plan': ('the customer is on gold', 'the customer is on the free plan'), 'it is written in French': ('the language is French', 'the language is English'), 'it is the third one about the same thing': ('two earlier ones dealt with the same thing', 'it is the first on its subject'), 'it contains a threat': ('the writer threatens to come over', 'the tone is friendly throughout')}, ('the billing tool', 'a human', 'the translation step', 'the standard reply', 'the retention team', 'the security desk')),
    S('Emergency ward', 'case', {'the patient is a child': ('the patient is six', 'the patient is fifty-one'), 'there is chest pain': ('the chest hurts', 'the chest gives no pain'), 'a bone may be broken': ('the arm looks broken', 'all bones seem whole'), 'the patient has a fever': ('the temperature is 39.4', 'the temperature is 36.8'), 'the patient came by ambulance': ('the ambulance brought the patient', 'the patient walked in')}, ('room A', 'room B', 'the heart unit', 'the waiting area', 'the X-ray room', 'the isolation bay')),
    S('School phones', 'call', {'it is about an illness': ('a pupil is ill', 'nobody is ill'), 'the caller is a parent': ('a mother is on the line', 'a supplier is on the line'), 'it comes before eight': ('the clock says 7:40', 'the clock says 10:15'), 'it is about the bus': ('the bus has not come', 'the bus is not the subject'), 'the caller asks for the head': ('the caller wants the head teacher', 'the caller wants nobody in particular')}, ('the secretary', 'the caretaker', 'the head teacher', 'the answering machine', 'the class teacher', 'the bus firm')),
]
FIRST = ('The first rule that fits decides.', 'Go through the rules from the top; stop at the first that applies.', 'Where several rules fit, the one standing higher in the list wins.', 'Rules are read in order, and the earliest match counts.', 'As soon as one rule fits, those below it are ignored.', 'An upper rule beats a lower one.')
LAST = ('The last rule that fits decides.', 'Go through all the rules; each one that applies overrules those above it.', 'Where several rules fit, the one standing lower in the list wins.', 'Rules are read in order, and the latest match counts.', 'A later rule that fits sets aside the earlier ones.', 'A lower rule beats an upper one.')
RULE = ('if {c}: {t}', 'when {c}, choose {t}', '{t}, if {c}', 'where {c} -> {t}', '{t} whenever {c}', 'should it be that {c}: {t}')
GOES = ('{t} is the right choice for the {n}.', 'Does the {n} end up with this outcome: {t}?', 'By the rules the outcome is "{t}".', 'Is "{t}" what the rules say in the end?')
QUEUE_HEAD = ('{Red} goes before {amber}, {amber} before {green}; among equals, whoever came first.', 'Order of service: {red}, then {amber}, then {green}. Within a class the earlier arrival is served sooner.', 'Class decides ({red} over {amber} over {green}), and only then the time of arrival.', 'First we call all {red} ones, next {amber}, at the end {green}; inside a class by time of arrival.')
TIME_HEAD = ('Whoever came first is served first; the classes {red}, {amber} and {green} play no part in the order.', 'Order of service is by time of arrival alone, whatever the class ({red}, {amber}, {green}).', 'We go by arrival only. {Red}, {amber} and {green} are noted for the statistics.', 'Time of arrival decides; class ({red}, {amber}, {green}) is of no account today.')
CLASSES = (('red', 'amber', 'green'), ('critical', 'major', 'minor'), ('gold', 'silver', 'basic'), ('P1', 'P2', 'P3'), ('emergency', 'urgent', 'routine'), ('full fare', 'reduced fare', 'free pass'), ('blocker', 'bug', 'wish'))


def routing(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    n = rng.randint(2, 4)
    conditions, targets = rng.sample(list(s.tests), n), rng.sample(s.targets, n + 1)
    default = targets[-1]
    scheme = rng.choice(['first', 'last', 'ranked'])
    ranks = rng.sample(range(1, 10), n)  # for 'ranked': the lowest or highest number wins
    low_wins = rng.random() < .5

    def winner(case: tuple[list[bool], str]) -> int | None:
        """The rule that decides, or None where no rule fits."""
        held, how = case
        fits = [k for k in range(n) if held[k]]
        if not fits:
            return None
        if how == 'first':
            return fits[0]
        if how == 'last':
            return fits[-1]
        return (min if low_wins else max)(fits, key=lambda k: ranks[k])

    while True:
        held = [rng.random() < .65 for _ in range(n)]
        if scheme != 'ranked' and sum(held) > 1 and rng.random() < .6:  # what differs is the scheme itself
            cases = [(held, 'first'), (held, 'last')]
        else:
            i = rng.randrange(n)
            cases = [(held, scheme), ([flag != (k == i) for k, flag in enumerate(held)], scheme)]
        if winner(cases[0]) != winner(cases[1]):
            break
    rng.shuffle(cases)
    form, scheme_form, order = rng.choice(RULE), rng.randrange(6), rng.sample(range(n), n)
    opener, otherwise = rng.choice(['Today: {a}.', 'Now there is {a}.', 'In comes {a}.', 'Take {a}.', 'Next up: {a}.', 'Here is {a}.']).format(a=a(s.noun)), rng.choice(['If no rule fits: {t}.', 'In all other cases: {t}.', 'Default: {t}.', 'Where nothing applies, {t}.']).format(t=default)
    rank_form = rng.choice(['Of the rules that fit, the one with the {w} number wins.', 'The {w} number among the matching rules decides.', 'If more than one rule fits, take the one whose number is {w}.', 'Matching rules are weighed by their number; the {w} counts.']).format(w='lowest' if low_wins else 'highest')
    facts_first = rng.random() < .2

    def render(case: tuple[list[bool], str], local: random.Random) -> State:
        held, how = case
        lines = [form.format(c=conditions[k], t=targets[k]) for k in range(n)]
        numbered = [f'Rule {ranks[k] if how == "ranked" else k + 1}: {lines[k]}' for k in range(n)]
        head = {'first': FIRST[scheme_form], 'last': LAST[scheme_form], 'ranked': rank_form}[how]
        facts = [cap(s.tests[conditions[k]][not held[k]]) + '.' for k in order]
        body = '\n'.join([*numbered, otherwise])
        told = ' '.join([opener, *facts])
        shape = local.randrange(4)
        if shape == 0:
            return {'rules': [*numbered, otherwise], 'how': head, s.noun: ' '.join(facts)}
        text = f'{head}\n{body}' if shape == 1 else f'{body}\n{head}' if shape == 2 else ' '.join([head, *(line + '.' for line in numbered), otherwise])
        return f'{told}\n{text}' if facts_first else f'{text}\n{told}'

    states = both(render, cases, rng)
    won = (winner(cases[0]), winner(cases[1]))
    outcome = tuple(default if w is None else targets[w] for w in won)
    truth_of = rng.choice(outcome)
    questions = [pick(rng, [f'Where does the {s.noun} go?' if s.title != 'Firewall' else 'What is done with the packet?', f'Outcome for the {s.noun}:', 'What do the rules say in the end?', f'Decide on the {s.noun}.'], outcome, targets, most=5)]
    other = rng.choice([t for t in outcome if t != truth_of])
    questions.append(polar(rng, (outcome[0] == truth_of, outcome[1] == truth_of), [f.format(t=truth_of, n=s.noun) for f in GOES], [f'The rules do not, in the end, say "{truth_of}".', f'Is it something other than "{truth_of}" that comes out?', *(f.format(t=other, n=s.noun) for f in GOES)]))
    fits = tuple(sum(case[0]) for case in cases)
    if fits[0] != fits[1] and rng.random() < .6:
        questions.append(pick(rng, [f'How many of the rules fit the {s.noun}, whether or not they decide?', 'Number of rules whose condition is fulfilled'], (words(fits[0]), words(fits[1])), [words(k) for k in range(n + 1)], most=5, fixed=True))
    elif fits[0] == fits[1]:
        up = tuple(case[1] == 'first' for case in cases)
        questions.append(polar(rng, up, ['A rule further up has the say over one further down.', 'If two rules fit, does the upper one decide?'], ['A rule further down has the say over one further up.', 'If two rules fit, does the lower one decide?']))
    return Twin(states, questions)


def queue(rng: random.Random) -> Twin:
    n = rng.randint(3, 5)
    names, classes = [p.name for p in people(rng, n)], rng.choice(CLASSES)
    start = rng.randrange(420, 900, 5)
    times = [start + 5 * k for k in rng.sample(range(24), n)]
    levels = [rng.randrange(3) for _ in range(n)]
    by_class = rng.random() < .75

    def order_of(case: tuple[list[int], list[int], bool]) -> list[int]:
        level, time, ranked = case
        return sorted(range(n), key=lambda k: (level[k] if ranked else 0, time[k]))

    base = (levels, times, by_class)
    while True:
        what, i, j = rng.choice(['class', 'time', 'scheme']), *rng.sample(range(n), 2)
        if what == 'class':
            new = ([rng.randrange(3) if k == i else v for k, v in enumerate(levels)], times, by_class)
        elif what == 'time':
            new = (levels, [times[i] + rng.choice([-90, -60, -45, 45, 60, 90]) + 1 if k == i else v for k, v in enumerate(times)], by_class)
        else:
            new = (levels, times, not by_class)
        if order_of(base)[0] != order_of(new)[0] or rng.random() < .02 and order_of(base) != order_of(new):
            break
        levels = [rng.randrange(3) for _ in range(n)]
        base = (levels, times, by_class)
    cases = [base, new] if rng.random() < .5 else [new, base]
    head, tell_order, tabled = rng.randrange(4), rng.sample(range(n), n), rng.random() < .25
    tell = rng.choice(['{who}: {c}, {t}.', '{who} came at {t}; class: {c}.', 'At {t} {who} arrived ({c}).', '{who} is down as "{c}" and was here at {t}.', '"{c}" is the class of {who}, who came at {t}.', '{t}: {who} signs in, {c}.'])
    title = rng.choice([None, f'Ward in {rng.choice(CITIES)}', 'Hotline', 'Repair shop', f'{rng.choice(DEPARTMENTS)} queue', 'Counter', 'Ticket board'])

    def render(case: tuple[list[int], list[int], bool], local: random.Random) -> State:
        level, time, ranked = case
        rule = (QUEUE_HEAD if ranked else TIME_HEAD)[head].format(Red=cap(classes[0]), red=classes[0], amber=classes[1], green=classes[2])
        if tabled:
            return f"{rule}\n{table(['name', 'class', 'arrived'], [[names[k], classes[level[k]], f'{time[k] // 60:02d}:{time[k] % 60:02d}'] for k in tell_order])}"
        lines = [cap(tell.format(who=names[k], c=classes[level[k]], t=clock(local, time[k]))) for k in tell_order]
        return lay_out(local, [rule, *lines] if local.random() < .7 else [*lines, rule], title)

    states = both(render, cases, rng)
    orders = [order_of(case) for case in cases]
    firsts = tuple(names[o[0]] for o in orders)
    questions = []
    if firsts[0] != firsts[1]:
        questions.append(pick(rng, ['Who is served first?', 'Whose turn is it now, nobody having been served yet?', 'First to be called:', 'Who heads the queue?'], firsts, names, most=5))
    pairs = [(p, q) for p in range(n) for q in range(n) if p < q and (orders[0].index(p) < orders[0].index(q)) != (orders[1].index(p) < orders[1].index(q))]
    p, q = rng.choice(pairs)
    x, y = names[p], names[q]
    questions.append(polar(rng, tuple(o.index(p) < o.index(q) for o in orders), [f'{x} is served before {y}.', f'Does {x} come ahead of {y} in the queue?', f'{y} has to wait until {x} has been served.', f'Between {x} and {y}, is {x} the one called sooner?'],
                           [f'{y} is served before {x}.', f'Does {y} come ahead of {x} in the queue?', f'{x} has to wait until {y} has been served.', f'Between {x} and {y}, is {y} the one called sooner?']))
    if rng.random() < .5:
        questions.append(pick(rng, ['Who is served last?', 'Who waits longest for a turn, counted in people ahead?', 'Last in the queue:'], tuple(names[o[-1]] for o in orders), names, most=5, fixed=True) if orders[0][-1] != orders[1][-1] else
                         score(f'Place of {x} in the order of service', [ordinal_words(k) for k in range(1, n + 1)], tuple(o.index(p) for o in orders)))
    if rng.random() < .4:
        ahead = tuple(o.index(q) for o in orders)
        if ahead[0] != ahead[1]:
            questions.append(pick(rng, [f'How many people are served before {y}?', f'Number of turns ahead of {y}'], (words(ahead[0]), words(ahead[1])), [words(k) for k in range(n)], most=5, fixed=True))
    return Twin(states, questions)


def twin(rng: random.Random) -> Twin:
    return routing(rng) if rng.random() < .55 else queue(rng)
