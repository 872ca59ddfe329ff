"""Teaches rules with conditions: if, only if, unless, and/or/at least two of, against facts told in other words."""
import random
from collections.abc import Callable
from dataclasses import dataclass

from .asking import both, pick, polar, without_repeats
from .people import people
from .twin import Twin
from .wording import cap, lay_out, listed, words


@dataclass(frozen=True)
class Test:
    """One condition as the rule words it ('has a valid ticket', of a person) and ways to tell that it holds or does not."""

    rule: str
    yes: tuple[str, ...]
    no: tuple[str, ...]


@dataclass(frozen=True)
class Setting:
    who: str  # the kind of person the rule speaks of
    result: str  # base form: 'enter the lab'
    tests: tuple[Test, ...]


T = Test
SETTINGS = {
    'Lab access': Setting('visitor', 'enter the lab', (T('wears goggles', ("{who} put goggles on at the door", "goggles cover {whose} eyes"), ("{who} left the goggles in the locker", "{whose} eyes are uncovered")), T('has heard the safety talk', ('{who} sat through the safety talk on Monday', 'the safety talk is behind {who}'), ('{who} has yet to hear the safety talk', '{who} was ill on the day of the safety talk')),
        T('is with a member of staff', ('a technician from the lab walks beside {who}', 'the lab head has come along with {who}'), ('{who} has come alone', 'nobody from the lab is with {who}')), T('has signed the form', ("{whose} name stands under the form", '{who} filled in and signed the form'), ("the line for {whose} signature is empty", '{who} would not sign the form')))),
    'Refund desk': Setting('customer', 'have the money back', (T('has the receipt', ('{who} lays the receipt on the counter', 'the receipt is in {whose} wallet'), ('{who} threw the receipt away', 'of the receipt {who} has no trace')), T('comes within 30 days', ('{who} bought it twelve days ago', 'the purchase by {who} was last week'), ('{who} bought it three months ago', '{whose} purchase lies half a year back')),
        T('brings the item unopened', ('the seal on the box of {who} is whole', '{who} never opened the box'), ('{who} has broken the seal', 'the box of {who} was opened and used')), T('paid by card', ('{who} had paid by card', 'the card of {who} was charged'), ('{who} had paid in cash', 'notes and coins were what {who} paid with')))),
    'Merge rules': Setting('developer', 'merge the branch', (T('has two approvals', ('two reviewers have approved the branch of {who}', '{whose} branch carries two approvals'), ('only one reviewer has approved the branch of {who}', '{whose} branch carries a single approval')), T('has a green test run', ('the last test run of {who} passed', 'all tests pass for {who}'), ('the last test run of {who} is red', 'three tests fail for {who}')),
        T('has updated the changelog', ('{who} added a line to the changelog', 'the changelog mentions what {who} did'), ('{who} did not touch the changelog', 'the changelog says nothing of what {who} did')), T('is on the core team', ('{who} belongs to the core team', 'the core team counts {who} among its members'), ('{who} is an outside contributor', '{who} does not belong to the core team')))),
    'Home loan': Setting('applicant', 'get the loan', (T('has a permanent job', ('{who} works on a contract without an end date', '{whose} post is permanent'), ("{whose} contract ends in June", '{who} is between jobs')), T('can put down a fifth of the price', ('{who} has saved a quarter of the price', 'half of the price lies in the account of {who}'), ('{who} has saved a tenth of the price', '{whose} savings make up one twentieth of the price')),
        T('has a guarantor', ("{whose} aunt will guarantee the loan", 'a friend stands guarantor for {who}'), ('nobody stands guarantor for {who}', '{who} found no one to guarantee the loan')), T('has no open debts', ('{who} owes nobody anything', 'there are no debts in the name of {who}'), ('{who} still owes money on a car', 'a credit card debt of {who} is open')))),
    'Night bus': Setting('passenger', 'ride for free', (T('is under eighteen', ('{who} is sixteen', '{who} turns fourteen next month'), ('{who} is twenty-three', '{who} turned forty last year')), T('lives in the city', ('{who} has a flat in the city centre', '{whose} home is in the city'), ('{who} lives two towns away', '{who} has come from the coast for a visit')), T('carries a youth card', ('{who} shows a youth card', 'a youth card is in the hand of {who}'), ('{who} never got a youth card', '{who} has lost the youth card')),
        T('travels after midnight', ('{who} boards at half past one at night', 'it is 2 am when {who} gets on'), ('{who} boards at ten in the evening', 'it is 8 pm when {who} gets on')))),
    'Blood donors': Setting('donor', 'give blood', (T('slept well', ('{who} had eight hours of sleep', '{who} slept through the night'), ('{who} lay awake until dawn', '{who} had two hours of sleep')), T('has eaten', ('{who} had a good breakfast', '{who} comes from lunch'), ('{who} has had nothing since last night', '{whose} stomach is empty')), T('weighs over fifty kilos', ('{who} weighs 64 kilos', 'the scales show 71 kilos for {who}'), ('{who} weighs 47 kilos', 'the scales show 45 kilos for {who}')),
        T('has an identity card', ('{who} put an identity card on the desk', '{whose} identity card was checked'), ('{who} has left the identity card at home', '{who} has nothing to prove {whose_own} identity')))),
    'Tool policy': Setting('agent', 'send the mail', (T('has the consent of the user', ('the user said yes to {who}', '{who} asked, and the user agreed'), ('the user has told {who} to wait', '{who} has no answer from the user')), T('stays under the daily limit', ('{who} has sent two of the fifty mails allowed today', 'today {who} is far from the limit'), ('{who} has used up the mails allowed for today', 'the daily limit of {who} is spent')), T('writes to a known address', ('the address {who} writes to is in the address book', '{who} replies to an old contact'), ('the address {who} writes to is not in the address book', '{who} writes to a stranger')),
        T('has scanned the attachment', ('the attachment of {who} was scanned', '{who} ran the scanner over the attachment'), ('{who} skipped the scan of the attachment', 'no scan was made of the attachment of {who}')))),
}
# name -> (how the rule is worded, what it means); {r} result, {k} kind of person, {t} the conditions as a list of clauses
RULES: dict[str, tuple[tuple[str, ...], Callable[[list[bool]], bool]]] = {
    'all': (('A {k} may {r} only if the {k} {and}.', 'To {r}, every one of these is needed: the {k} {and}.', 'Whoever {and} may {r}; if one of these is lacking, no.', 'No {k} may {r} without meeting all of this: the {k} {and}.'), all),
    'any': (('A {k} may {r} if the {k} {or}; one of these will do.', 'To {r}, one of these is enough: the {k} {or}.', 'Whoever {or} may {r}, and nobody else.', 'A {k} may not {r} unless at least one of these holds: the {k} {or}.'), any),
    'two': (('A {k} may {r} if at least two of these hold: the {k} {or}.', 'To {r}, two out of this list suffice: the {k} {or}.', 'Two or more of the following are required to {r}: the {k} {or}.'), lambda held: sum(held) >= 2),
    'first_and': (('A {k} may {r} if the {k} {t0} and also {rest_or}.', 'To {r} it takes two things: the {k} {t0}; besides, the {k} {rest_or}.', 'Nobody may {r} who does not meet this: the {k} {t0}. On top of it the {k} {rest_or}.'), lambda held: held[0] and any(held[1:])),
    'first_or': (('A {k} may {r} if the {k} {t0}; failing that, only if the {k} {rest_and}.', 'Whoever {t0} may {r}. The rest may do so only if all of this is true: the {k} {rest_and}.', 'A {k} who {t0} may {r}; so may a {k} who {rest_and}. No others.'), lambda held: held[0] or all(held[1:])),
}
MAY = ('{who} may {r}.', 'By the rule, can {who} {r}?', 'Is {who} allowed to {r}?', '{who} meets the rule.', 'Nothing in the rule keeps {who} from it.', 'Would it be right to let {who} {r}?')
MAY_NOT = ('{who} may not {r}.', 'By the rule, is it forbidden for {who} to {r}?', 'Must {who} be refused?', '{who} does not meet the rule.', 'The rule keeps {who} from it.', 'Would it be against the rule to let {who} {r}?')


def twin(rng: random.Random) -> Twin:
    title = rng.choice(list(SETTINGS))
    s, (kind, (forms, meets)) = SETTINGS[title], rng.choice(list(RULES.items()))
    tests = rng.sample(s.tests, rng.choice([2, 3]) if kind in ('all', 'any') else rng.choice([3, 3, 4]) if kind == 'two' else 3)
    n, (who, rival) = len(tests), people(rng, 2)
    # one fact changes and the outcome with it
    while True:
        held, i = [rng.random() < .5 for _ in tests], rng.randrange(n)
        other = [flag != (k == i) for k, flag in enumerate(held)]
        if meets(held) != meets(other):
            break
    rules = [t.rule for t in tests]
    rule = rng.choice(forms).format(k=s.who, r=s.result, **{'and': listed(rules), 'or': listed(rules, 'or'), 't0': rules[0], 'rest_or': listed(rules[1:], 'or'), 'rest_and': listed(rules[1:])})
    rule = rule.replace('A agent', 'An agent').replace('A applicant', 'An applicant').replace('a agent', 'an agent').replace('a applicant', 'an applicant')
    rival_held = [rng.random() < .6 for _ in tests]
    has_rival, choices = rng.random() < .5, [rng.random() for _ in range(2 * n)]
    order = rng.sample(range(n), n)

    def tell(person: object, flags: list[bool], offset: int) -> list[str]:
        name = person.name
        pools = [tests[k].yes if flags[k] else tests[k].no for k in range(n)]
        return [cap(pools[k][int(choices[k + offset] * len(pools[k]))].format(who=name, whose=f'{name}\'s', whose_own=person.his)) + '.' for k in order]

    def render(flags: list[bool], local: random.Random) -> object:
        lines = tell(who, flags, 0)
        if has_rival:
            more = tell(rival, rival_held, n)
            lines = lines + more if local.random() < .5 else more + lines
        return lay_out(local, [rule, *lines] if local.random() < .75 else [*lines, rule], title if local.random() < .6 else None)

    states = both(render, (held, other), rng)
    truth = (meets(held), meets(other))
    fill = lambda forms_: [f.format(who=who.name, r=s.result) for f in forms_]
    questions = [polar(rng, truth, fill(MAY), fill(MAY_NOT), (f'the rule lets {who.name} {s.result}', f'the rule does not let {who.name} {s.result}'))]
    if rng.random() < .5:
        clause = tests[i].rule
        questions.append(polar(rng, (held[i], other[i]), [f'It holds of {who.name} that the {s.who} {clause}.', f'On the point "{clause}", does {who.name} pass?', f'"{cap(clause)}" is true of {who.name}.'], [f'It does not hold of {who.name} that the {s.who} {clause}.', f'On the point "{clause}", does {who.name} fall down?', f'"{cap(clause)}" is untrue of {who.name}.']))
    if rng.random() < .6:
        questions.append(pick(rng, [f'How many of the points in the rule are true of {who.name}?', f'{who.name}: number of points fulfilled', f'Points of the rule that {who.name} fulfils'], (words(sum(held)), words(sum(other))), [words(k) for k in range(n + 1)], most=5, fixed=True))
    if has_rival and rng.random() < .8:
        ok = meets(rival_held)
        labels = {(True, True): 'both', (True, False): who.name, (False, True): rival.name, (False, False): 'neither'}
        questions.append(pick(rng, [f'Who may {s.result}?', f'To whom does the rule say yes?', f'{rival.name} and {who.name}: whom does the rule let {s.result}?'], (labels[truth[0], ok], labels[truth[1], ok]), list(labels.values()), most=4, fixed=True))
    point = lambda flag: 'nothing: the rule is met' if flag else f'"{tests[i].rule}" is not fulfilled'
    if kind == 'all' and rng.random() < .6:  # exactly one point fails in one state, none in the other
        questions.append(pick(rng, [f'What stands in the way of {who.name}?', f'Which point does {who.name} fail?', f'What, if anything, is {who.name} lacking?'], (point(truth[0]), point(truth[1])), [f'"{t.rule}" is not fulfilled' for t in tests], most=5, fixed=True))
    if len(questions) == 1:
        questions.append(polar(rng, truth, fill(MAY), fill(MAY_NOT)))
    return Twin(states, without_repeats(questions))
