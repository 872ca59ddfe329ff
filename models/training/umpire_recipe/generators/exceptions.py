"""Teaches a rule, its exception and the exception to that: which of them governs the case at hand."""
import random
from dataclasses import dataclass

from .asking import both, described, polar
from .people import people
from .twin import Twin, choice
from .wording import cap, lay_out, with_asides


@dataclass(frozen=True)
class Setting:
    """rule: always-forms. exception and counter: clauses that follow 'if'. {w} is a person. The facts tell, in other words, whether each holds. yes/no: what the rule brings and what its exception brings."""

    title: str
    rule: tuple[str, ...]
    exception: str
    counter: str
    ex_yes: tuple[str, ...]
    ex_no: tuple[str, ...]
    co_yes: tuple[str, ...]
    co_no: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]


S = Setting
SETTINGS = [
    S('Parking', ('Whoever parks in the yard pays 6 a day', 'Parking in the yard costs 6 a day', 'The yard charges 6 for a day of parking', 'A day in the yard is 6'), 'the driver lives in the building', 'it is a market day', ("{w} has a flat on the third floor of the building", "{w}'s home is upstairs in the building", '{w} has been a tenant here for years'), ('{w} lives across the river', '{w} is only visiting a friend in the building', "{w}'s home is in another town"), ('the market is on today', 'stalls have gone up for the market', 'today the farmers hold their market'), ('today is no market day', 'the market was yesterday', 'the next market is on Saturday and today is Tuesday'), ('{w} has to pay', '{w} owes the yard 6', '{w} must buy a day ticket'), ('{w} parks for free', '{w} owes the yard nothing', '{w} needs no day ticket')),
    S('Shop returns', ('Anything bought here can be returned', 'We take back whatever was bought here', 'Every purchase may be brought back', 'All goods bought here are returnable'), 'the item was on sale', 'the item is faulty', ("{w}'s coat was marked down by half", 'the coat {w} bought carried a red sale tag', '{w} had the coat for a reduced price in the sale'), ('{w} paid the full price for the coat', 'the coat of {w} was not reduced', '{w} bought the coat weeks before the sale'), ('its zip does not close', 'one sleeve came apart on the first day', 'the lining was torn from the start'), ('there is nothing wrong with it', 'it is in perfect order', 'the coat works as a coat should, only the colour displeases'), ('{w} can return the coat', 'the shop has to take the coat back from {w}', '{w} may bring the coat back'), ('{w} cannot return the coat', 'the shop may refuse the coat of {w}', '{w} has to keep the coat')),
    S('Office hours', ('Everybody works from the office', 'Work is done at the office', 'Staff come to the office every day', 'All are expected at the office'), 'the person has a child under three', 'a client is visiting', ("{w}'s son is eighteen months old", '{w} has a baby of ten months', "{w}'s daughter turned two in spring"), ('{w} has no children', "{w}'s son is nine", "{w}'s daughters go to secondary school"), ('a client from Lyon comes in today', 'the client is here for the day', 'today the buyers of a client look round'), ('no client is expected today', 'the visit of the client was put off to next month', 'the client came last week'), ('{w} is expected at the office today', '{w} has to come in today', '{w} cannot work from home today'), ('{w} may stay at home today', '{w} need not come in today', '{w} can work from home today')),
    S('Firewall', ('Incoming mail with an attachment is held for review', 'Attachments that come in are held for review', 'We hold every incoming attachment for review', 'A mail with a file attached waits for review'), 'the sender is on the trusted list', 'the attachment is a program', ('{w} stands on the trusted list', 'the trusted list names {w}', '{w} was made a trusted sender in May'), ('the trusted list does not name {w}', '{w} is a sender nobody knows', '{w} was struck off the trusted list'), ('{w} attached setup.exe', 'the attached file is an installer', 'the attachment can be run: it is a program'), ('{w} attached a photo', 'the attached file is a plain text note', 'the attachment is a scanned letter'), ("{w}'s mail is held", "{w}'s mail has to wait for review", 'somebody reviews the mail of {w} first'), ("{w}'s mail goes straight through", "{w}'s mail need not wait for review", 'the mail of {w} is not held')),
    S('Gym', ('Members bring their own towel', 'Every member has to bring a towel', 'A towel must be brought along', 'No entry without a towel of your own'), 'the member has the gold plan', 'the laundry is on strike', ('{w} is on the gold plan', '{w} moved up to gold in June', 'gold is what {w} pays for'), ('{w} is on the basic plan', '{w} gave up gold for silver', '{w} pays for silver'), ('the people at the laundry have stopped work', 'the strike at the laundry goes on', 'the laundry is on strike since Monday'), ('the laundry works as usual', 'the laundry strike ended last week', 'nobody at the laundry is on strike'), ('{w} has to bring a towel', '{w} needs a towel from home', '{w} must not come without a towel'), ('{w} can leave the towel at home', '{w} needs no towel of {w}\'s own', '{w} may come without a towel')),
    S('Ward', ('Patients take the tablets with food', 'The tablets are taken at mealtimes', 'Give the tablets together with food', 'Food goes with the tablets'), 'the patient is to have an operation that day', 'the patient has diabetes', ('{w} will be operated on at noon', 'the operation of {w} is today', '{w} is on the list for the theatre this afternoon'), ("{w}'s operation was last week", 'no operation is planned for {w}', '{w} had the operation put off until autumn'), ('{w} has been diabetic since childhood', 'the chart of {w} says diabetes', '{w} lives with diabetes'), ("{w}'s blood sugar has always been normal", 'diabetes was ruled out for {w}', '{w} has no diabetes'), ('{w} takes the tablets with food today', 'there is food with the tablets for {w} today', 'today {w} should eat something with the tablets'), ('{w} takes the tablets without food today', 'there is no food with the tablets for {w} today', 'today {w} should eat nothing with the tablets')),
    S('Library', ('A fine is due on every late book', 'Late books cost a fine', 'Anyone who brings a book back late is fined', 'For late books we charge a fine'), 'the reader is a pupil', 'the book was reserved by somebody else', ('{w} goes to the school next door', '{w} is in the fifth form', '{w} is a pupil of twelve'), ('{w} finished school long ago', '{w} is a retired engineer', '{w} works at the bank'), ('another reader had put a reservation on it', 'somebody else was waiting for it with a reservation', 'it was reserved by a third person'), ('no one else had asked for it', 'there was no reservation on it', 'nobody was waiting for it'), ('{w} is fined for the late book', '{w} has to pay for bringing the book back late', 'the late book costs {w} a fine'), ('{w} is not fined for the late book', '{w} pays nothing for bringing the book back late', 'the late book costs {w} nothing')),
    S('Agent rules', ('The agent asks before it deletes a file', 'Before deleting a file, ask', 'No file is deleted without asking', 'Ask first, whatever file is to be deleted'), 'the file is in the scratch folder', 'the file was made by the user', ('the file {w} points at lies in scratch/', "{w}'s file: scratch/plan.txt", 'the path {w} gave begins with scratch/'), ('the file {w} points at lies in docs/', "{w}'s file: docs/plan.txt", 'the path {w} gave begins with home/'), ('{w}, the user, wrote it by hand', 'the log shows {w}, the user, as its maker', 'its maker is {w}, who is the user'), ('the agent itself had made it', 'a nightly job made it', 'the log shows the agent as its maker'), ('the agent must ask {w} before deleting it', 'a question to {w} has to come first', 'deleting it needs a yes from {w}'), ('the agent may delete it without asking {w}', 'no question to {w} has to come first', 'deleting it needs no yes from {w}')),
]
EXCEPT = ('{r}, except if {e}. If {c}, however, the exception falls away.', '{r}. This does not apply if {e}, unless {c}.', '{r}. Exception: {e}. The exception is void if {c}.', '{r}; this is lifted where {e}. Where {c}, the first sentence counts again.', '{r}, unless {e}. Even then the rule holds if {c}.', '{r}. If {e}, the rule is lifted - but not if {c}.')
ONLY = ('{r}, except if {e}.', '{r}. This does not apply if {e}.', '{r}, unless {e}.', '{r}. Exception: {e}.', '{r}; the one case left out is that {e}.', 'Unless {e}, this holds: {r}.')
WHY = {'rule': 'the general rule counts, as the exception does not come into play', 'exception': 'the exception counts', 'exception set aside': 'the exception would count, but is itself set aside, so the rule counts again'}


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    chain = rng.random() < .65
    who, rival = (p.name for p in people(rng, 2))
    exception, counter = rng.random() < .5, rng.random() < .5
    if not chain:
        cases = [(True, counter), (False, counter)]
    else:  # of the three outcomes (rule, exception, exception undone), two; the fact that differs is one
        cases = rng.choice([[(False, False), (True, False)], [(True, False), (True, True)], [(False, True), (True, True)], [(True, False), (True, True)], [(False, False), (True, False)]])
    rng.shuffle(cases)
    form, order = rng.choice(EXCEPT if chain else ONLY), rng.random() < .7
    rule = form.format(r=rng.choice(s.rule), e=s.exception, c=s.counter)
    rule = rule if not rule.startswith('Unless') else rule.replace(': ' + rule.split(': ')[1][0], ': ' + rule.split(': ')[1][0].lower())
    indices, mention = [rng.randrange(3) for _ in range(2)], chain or rng.random() < .5
    rival_line = rng.choice([*s.ex_yes, *s.ex_no]).format(w=rival) if rng.random() < .35 else ''
    aside = rng.choice(['{w} has asked the desk.', 'The question comes from {w}.', 'Please settle the case of {w}.', 'This is about {w}.', '{w} wants to know.', 'Case of the day: {w}.']).format(w=who)

    def render(case: tuple[bool, bool], local: random.Random) -> object:
        facts = [(s.ex_yes if case[0] else s.ex_no)[indices[0]].format(w=who)] + ([(s.co_yes if case[1] else s.co_no)[indices[1]].format(w=who)] if mention else [])
        lines = [cap(fact) + '.' for fact in facts]
        if order:
            lines = [aside, *lines]
        if rival_line:  # after the facts of the one in question, lest 'it' or 'the coat' be taken for the rival's
            lines.append(cap(rival_line) + ('.' if plain_rival else ', which is another matter.'))
        return lay_out(local, with_asides(local, [rule, *lines] if local.random() < .7 else [*lines, rule], 1), s.title if local.random() < .5 else None)

    plain_rival = rng.random() < .5
    applies = lambda case: not case[0] or (chain and case[1])
    states = both(render, cases, rng)
    truth = (applies(cases[0]), applies(cases[1]))
    fill = lambda forms: [t for f in forms for c in [f.format(w=who)] for t in (f'{cap(c)}.', f'Does it follow that {c}?', f'Is it so that {c}?')]
    meaning = (s.yes[0].format(w=who), s.no[0].format(w=who))
    questions = []
    if truth[0] != truth[1]:
        questions.append(polar(rng, truth, fill(s.yes), fill(s.no), meaning))
        if rng.random() < .5:
            key = rng.choice([('k1', 'k2'), ('A', 'B'), ('first', 'second'), ('p', 'q')])
            options = dict(zip(key, meaning, strict=True))
            if rng.random() < .5:
                options = dict(zip(key, meaning[::-1], strict=True))
            code = {text: k for k, text in options.items()}
            items = list(options.items())
            rng.shuffle(items)
            questions.append(choice(rng.choice([f'What follows for {who}?', f'Decide the case of {who}.', 'Outcome?', f'{who}: which is right?']), dict(items), (code[meaning[not truth[0]]], code[meaning[not truth[1]]])))
    path = lambda case: 'rule' if not case[0] else 'exception set aside' if chain and case[1] else 'exception'
    if path(cases[0]) != path(cases[1]) and (len(questions) < 2 or rng.random() < .6):
        keys = ['rule', 'exception', 'exception set aside'] if chain else ['rule', 'exception']
        questions.append(described(rng, [f'Which part of the rule decides the case of {who}?', f'On what ground is {who} to be treated?', 'What governs here?'], {k: WHY[k] for k in keys}, (path(cases[0]), path(cases[1]))))
    differs = 0 if cases[0][0] != cases[1][0] else 1
    held = (cases[0][differs], cases[1][differs])
    clause = (s.exception, s.counter)[differs]
    if rng.random() < .5 or len(questions) < 2:
        questions.append(polar(rng, held, [f'In the case of {who} it is true that {clause}.', f'Is the condition "{clause}" fulfilled for {who}?', f'Take {who}: {clause}.'], [f'In the case of {who} it is not true that {clause}.', f'Is the condition "{clause}" unfulfilled for {who}?', f'Take {who}: it is not so that {clause}.']))
    return Twin(states, questions)
