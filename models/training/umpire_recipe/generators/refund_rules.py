"""Teaches refund and cancellation rules in steps: full, part, credit or nothing by time and state, with the amount worked out."""
import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import firms, people
from .twin import State, Twin, score
from .wording import CURRENCIES, cap, lay_out, money, words


@dataclass(frozen=True)
class Setting:
    """unit of time ('day', 'days'); count says how time is counted: 'before' the event or 'after' the purchase. blocked: what rules a refund out; override: what brings the full sum whatever the time."""

    titles: tuple[str, ...]
    what: str
    unit: tuple[str, str]
    after: bool
    act: tuple[str, ...]
    blocked: str
    blocked_facts: tuple[tuple[str, str], ...]
    override: str
    override_facts: tuple[tuple[str, str], ...]


S = Setting
# act takes {who}, {t} (such as 'three days') and {price}
SETTINGS = [
    S(('Hotel terms', 'Guesthouse booking terms'), 'a room', ('day', 'days'), False, ('{who} paid {price} and cancelled {t} before arrival.', '{t} ahead of arrival {who} cancelled a room of {price}.', '{who}, booking of {price}: cancelled with {t} to go before arrival.'), 'the room was booked at the saver rate', (('{who} took the saver rate', '{who} took the flexible rate'), ('the booking of {who} was made at the saver rate', 'the saver rate was full, so {who} paid the usual one')), 'the hotel itself has to move the guest', (('the hotel had to send {who} to another house', 'the hotel kept the room ready'), ('because of a double booking the hotel gave the room of {who} away', 'nothing went wrong on the side of the hotel'))),
    S(('Course terms', 'Evening school'), 'a course', ('week', 'weeks'), False, ('{who} paid {price} and withdrew {t} before the first lesson.', '{t} ahead of the first lesson {who} gave up a place that had cost {price}.', '{who}: fee of {price}, withdrawal {t} before the start.'), 'the place was paid from a grant', (('a grant had paid for {who}', '{who} had paid out of pocket'), ('the money came from a grant', 'no grant was involved')), 'the teacher drops out', (('the teacher has since dropped out', 'the teacher is the one announced'), ('since then the teacher has quit', 'the teacher is still there'))),
    S(('Online shop: returns', 'Returns desk'), 'goods', ('day', 'days'), True, ('{who} paid {price} and sent the goods back {t} after delivery.', '{t} after they were delivered, {who} returned goods worth {price}.', '{who}: goods of {price}, sent back {t} after delivery.'), 'the goods were made to measure', (('they had been cut to the measures of {who}', 'they came from the shelf'), ('the tailor had made them for {who} alone', 'they were a standard size')), 'the goods are faulty', (('one seam was torn on arrival', 'they were in perfect order'), ('they arrived broken', 'no fault was found with them'))),
    S(('Software plan', 'Subscription terms'), 'a yearly plan', ('day', 'days'), True, ('{who} paid {price} for the year and cancelled {t} after the purchase.', '{t} after buying the plan for {price}, {who} cancelled.', '{who}: yearly plan, {price}, cancelled {t} after the purchase.'), 'the account was suspended for abuse', (('the account of {who} had been suspended for abuse', 'the account of {who} is in good standing'), ('for abuse, {who} had been shut out', 'there has been no trouble with the account')), 'the service was down for more than a day', (('the service had been down for two days running', 'the service was never down'), ('an outage of thirty hours had hit the service', 'the longest outage lasted ten minutes'))),
    S(('Theatre box office', 'Concert tickets'), 'tickets', ('hour', 'hours'), False, ('{who} paid {price} and handed the tickets back {t} before curtain.', '{t} before curtain {who} gave back tickets worth {price}.', '{who}: tickets of {price}, handed back {t} before the start.'), 'the tickets were won in a draw', (('{who} had won them in a draw', '{who} had bought them at the counter'), ('they were a prize from a draw', 'they were bought, not won')), 'the show is called off', (('the show was called off in the end', 'the show goes ahead'), ('in the end the singer fell ill and there is no show', 'the show takes place as planned'))),
    S(('Bus and ferry fares', 'Coach tickets'), 'a fare', ('hour', 'hours'), False, ('{who} paid {price} and cancelled {t} before departure.', '{t} before departure {who} cancelled a fare of {price}.', '{who}: fare of {price}, cancelled {t} before departure.'), 'the fare is a night special', (('it was a night special', 'it was an ordinary day fare'), ('{who} travels on a night special', '{who} has an ordinary fare')), 'the ride is cancelled by the company', (('the company cancelled the ride afterwards', 'the ride took place'), ('later on the company struck the ride off', 'the bus left as announced'))),
]
SHARES = {50: ('half of the price', '50 percent', 'one half'), 25: ('a quarter of the price', '25 percent', 'one quarter'), 75: ('three quarters of the price', '75 percent', '75 per cent of the price'), 80: ('80 percent', 'four fifths of the price', '80 per cent of the price'), 40: ('40 percent', 'two fifths of the price', '40 per cent of the price')}
BEFORE = ('Cancel {long} or more ahead and all of the money comes back; {short} or more but less than {long}, {share}; later than that, nothing.', 'Full refund from {long} ahead. With less than {long} but at least {short}: {share}. With less than {short}: no refund.', 'At least {long} of notice: everything is paid back. At least {short}: {share}. Shorter notice: nothing at all.',
          'Nothing is paid back with less than {short} to go. From {short} on it is {share}, and from {long} on the whole sum.', 'Notice of {long} or longer earns the full amount, {short} or longer earns {share}, and anything shorter earns nothing.', 'Whoever gives less notice than {short} gets nothing; less than {long}, {share}; all others, everything.')
AFTER = ('Within {short} all of the money comes back; after that, up to {long}, {share}; later, nothing.', 'Full refund up to {short}, {share} up to {long}, then no refund.', 'No more than {short} gone: everything is paid back. No more than {long}: {share}. Later: nothing at all.',
         'Nothing is paid back after {long}. Up to {long} it is {share}, and up to {short} the whole sum.', 'For the first {short} the full amount is due, from then to {long} it is {share}, and beyond it nothing.', 'Whoever takes longer than {long} gets nothing; longer than {short}, {share}; all others, everything.')
BLOCK = ('If {c}, there is never a refund.', 'No money back at all where {c}.', 'None of this applies if {c}: then nothing is paid.', 'Excluded from all refunds: {c}.')
OVERRIDE = ('If {c}, the whole price is paid back whatever the date.', 'Where {c}, everything is refunded at any time.', 'Regardless of time, the full sum is due if {c}.', 'The time does not matter if {c}: all is paid back.')
GETS = ('{who} gets money back.', 'Is any refund due to {who}?', 'The firm has to pay {who} something.', 'Does {who} see at least part of the money again?')
GETS_NOT = ('{who} gets no money back.', 'Is the firm free of paying {who} anything?', 'The firm owes {who} nothing.', 'Is the whole price lost to {who}?')
FULL = ('{who} gets the whole price back.', 'Is the refund to {who} a full one?', 'Nothing is held back from {who}.', 'Does {who} have all of the money returned?')
FULL_NOT = ('{who} does not get the whole price back.', 'Is a part of the price, or all of it, lost to {who}?', 'Something is held back from {who}.', 'Does {who} have less than the full price returned?')


def twin(rng: random.Random) -> Twin:
    s, currency = rng.choice(SETTINGS), rng.choice(CURRENCIES)
    who, rival = (p.name for p in people(rng, 2))
    step = {'day': 1, 'week': 1, 'hour': 2}[s.unit[0]]
    short = rng.randint(2, 8) * step
    long = short + rng.randint(2, 12) * step
    share, price = rng.choice(list(SHARES)), rng.randrange(20, 401, 20)
    special = rng.choice([None, None, 'block', 'override'])

    def percent(case: tuple[int, bool]) -> int:
        time, flag = case
        if special and flag:
            return 0 if special == 'block' else 100
        in_first, in_second = (time <= short, time <= long) if s.after else (time >= long, time >= short)
        return 100 if in_first else share if in_second else 0

    times = [t for edge in (short, long) for t in (edge, edge - step, edge + step, edge + 2 * step, edge - 2 * step, edge + 4 * step) if t > 0]
    while True:
        flag = rng.random() < .3
        base = (rng.choice(times), flag)
        new = (base[0], not flag) if special and rng.random() < .6 else (rng.choice(times), flag)
        if percent(base) != percent(new):
            break
    cases = [base, new]
    rng.shuffle(cases)
    tiers, extra, act, fact = rng.choice(AFTER if s.after else BEFORE), rng.choice(BLOCK if special == 'block' else OVERRIDE), rng.choice(s.act), rng.choice(s.blocked_facts if special == 'block' else s.override_facts)
    share_form, rival_line = rng.choice(SHARES[share]), rng.random() < .35
    rival_case = (rng.choice(times), rng.randrange(20, 401, 20), rng.choice(s.act))
    title = rng.choice([None, *s.titles, f'{firms(rng, 1)[0]}: terms'])

    def render(case: tuple[int, bool], local: random.Random) -> State:
        span = lambda n: f'{words(n) if local.random() < .5 else n} {s.unit[n != 1]}'
        rules = [tiers.format(short=span(short), long=span(long), share=share_form)]
        told = cap(act.format(who=who, t=span(case[0]), price=money(local, price, currency)))
        if special:
            rules.append(extra.format(c=s.blocked if special == 'block' else s.override))
            told += ' ' + cap(fact[not case[1]].format(who=who)) + '.'
        lines = [told] + ([cap(rival_case[2].format(who=rival, t=span(rival_case[0]), price=money(local, rival_case[1], currency)))] if rival_line else [])
        local.shuffle(lines)
        opener = f'Terms for {s.what}:' if not title and local.random() < .5 else ''
        rules[0] = f'{opener} {rules[0][0].lower() + rules[0][1:]}' if opener else rules[0]
        return lay_out(local, [*rules, *lines] if local.random() < .75 else [*lines, *rules], title)

    states = both(render, cases, rng)
    shares = (percent(cases[0]), percent(cases[1]))
    fill = lambda forms: [f.format(who=who) for f in forms]
    questions = []
    if (shares[0] > 0) != (shares[1] > 0):
        questions.append(polar(rng, (shares[0] > 0, shares[1] > 0), fill(GETS), fill(GETS_NOT), ('some or all of the price is paid back', 'not a cent is paid back')))
    if (shares[0] == 100) != (shares[1] == 100):
        questions.append(polar(rng, (shares[0] == 100, shares[1] == 100), fill(FULL), fill(FULL_NOT), ('all of the price is paid back', 'less than the price, or nothing, is paid back')))
    names = {100: 'full', share: 'partial', 0: 'none'}
    meaning = {'full': 'the whole price is paid back', 'partial': 'a part of the price is paid back', 'none': 'nothing is paid back'}
    if rng.random() < .6:
        questions.append(described(rng, [f'What does {who} get back?', f'Refund to {who}:', f'{who}: which outcome follows from the terms?'], meaning, (names[shares[0]], names[shares[1]])))
    show = lambda part: f'{currency}{price * part // 100}'
    if rng.random() < .7 or len(questions) < 2:
        tempting = [show(0), show(100), show(share), show(100 - share), f'{currency}{rival_case[1]}' if rival_line else show(share // 2), f'{currency}{price + 20}']
        questions.append(pick(rng, [f'How much is paid back to {who}?', f'Amount due to {who}', f'Work out the refund for {who}.'], (show(shares[0]), show(shares[1])), tempting, most=6))
    if rng.random() < .35:
        questions.append(score(rng.choice([f'How well does {who} come out of it?', f'Portion of the price that {who} sees again:']), ['gets nothing', 'gets less than half', 'gets half or more, not all', 'gets everything'], tuple(3 if p == 100 else 0 if p == 0 else 1 if p < 50 else 2 for p in shares)))
    if special and cases[0][1] != cases[1][1] and rng.random() < .4:
        clause = s.blocked if special == 'block' else s.override
        questions.append(polar(rng, (cases[0][1], cases[1][1]), [f'In the case of {who}, {clause}.', f'Does the special clause ("{clause}") bear on {who}?'], [f'In the case of {who} it is not true that {clause}.', f'Is the special clause ("{clause}") beside the point for {who}?']))
    return Twin(states, questions)
