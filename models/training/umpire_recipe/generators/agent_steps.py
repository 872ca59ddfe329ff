"""Teaches reading the plan and tool calls of a software agent: what is done, failed or waiting, in which order, and whether the policy allows the next call."""
import random
from dataclasses import dataclass
from typing import Any

from .asking import both, described, pick, polar
from .people import CITIES, FIRM_NAMES, WOMEN
from .shapes import capital, filled, made
from .twin import State, Twin
from .wording import words

JOBS: dict[str, list[str]] = {
    'prepare a trip to {city}': ['search flights', 'compare hotels', 'check the visa rules', 'book the train', 'send the itinerary', 'reserve a table', 'buy insurance'],
    'fix the login bug': ['reproduce the error', 'read the stack trace', 'patch the handler', 'run the tests', 'update the changelog', 'open a pull request', 'ask for a review'],
    'clean up the customer list of {firm}': ['export the list', 'remove duplicates', 'check the postcodes', 'mark lapsed customers', 'import the list', 'tell the sales team', 'archive the old file'],
    'publish the report for {firm}': ['collect the figures', 'draw the charts', 'write the summary', 'check the sources', 'convert it to PDF', 'upload the file', 'mail the link'],
    'move the shop to the new server': ['take a backup', 'copy the images', 'switch the DNS entry', 'renew the certificate', 'test the checkout', 'turn off the old server', 'inform the owner'],
    'plan a birthday for {name}': ['draw up the guest list', 'order the cake', 'find a room', 'write the invitations', 'hire a band', 'set up the shared album', 'pay the deposit'],
}
STATES = {'done': ['done', 'ok', 'success', 'completed'], 'failed': ['failed', 'error', 'gave an error'], 'waiting': ['pending', 'not started', 'to do', 'queued'], 'skipped': ['skipped', 'left out on request', 'dropped']}


def twin(rng: random.Random) -> Twin:
    return rng.choice([progress, order, allowed, allowed])(rng)


def goal_and_steps(rng: random.Random, count: int) -> tuple[str, list[str]]:
    goal = rng.choice(list(JOBS))
    return goal.format(city=rng.choice(CITIES), firm=rng.choice(FIRM_NAMES), name=rng.choice(WOMEN)), rng.sample(JOBS[goal], count)


def progress(rng: random.Random) -> Twin:
    """A list of steps with how each stands; two steps change places in that."""
    goal, steps = goal_and_steps(rng, rng.randint(3, 6))
    here, there = rng.sample(list(STATES), 2)
    if 'done' not in (here, there) and rng.random() < 0.6:
        here = 'done'
    spare = [name for name in STATES if name not in (here, there)]
    rest = {step: rng.choice(spare) for step in steps[2:]}
    worlds = ({**rest, steps[0]: here, steps[1]: there}, {**rest, steps[0]: there, steps[1]: here})
    shown = rng.sample(steps, len(steps))
    shape = rng.randrange(4)

    def render(world: dict[str, str], draw: random.Random) -> State:
        word = {name: draw.choice(forms) for name, forms in STATES.items()}
        if shape == 0:
            return {'goal': goal, 'steps': [{'step': step, 'status': word[world[step]]} for step in shown]}
        if shape == 1:
            return f'Goal: {goal}\n' + '\n'.join(f"[{dict(done='x', failed='!', waiting=' ', skipped='-')[world[step]]}] {step} ({word[world[step]]})" for step in shown)
        if shape == 2:
            return [{'role': 'user', 'text': f'Please {goal}.'}, *({'role': 'tool', 'call': step, 'result': word[world[step]]} for step in shown)]
        return f'The agent was told to {goal}. ' + ' '.join(f'{capital(step)}: {word[world[step]]}.' for step in shown)

    forms = {'done': (['Has the agent managed to {s}?', '"{S}" is behind the agent.', 'Is "{s}" complete?', 'Nothing more is needed for "{s}".'], ['"{S}" has not been achieved.', 'Is it wrong to tick off "{s}"?', 'Would it be untrue to report that "{s}" is complete?']),
             'failed': (['Did the agent try to {s} without success?', '"{S}" went wrong.', 'Was there an error at "{s}"?', 'An attempt at "{s}" came to nothing.'], ['"{S}" did not go wrong.', 'Is "{s}" free of any error report?', 'Nothing speaks of a mishap at "{s}".']),
             'waiting': (['Is it still to come that the agent will {s}?', '"{S}" has yet to begin.', 'Does "{s}" lie ahead?', 'The agent has not got round to "{s}" so far, but will.'], ['"{S}" is no longer waiting for its turn.', 'Is "{s}" off the list of things to come?', 'Nobody is waiting for "{s}" to begin.']),
             'skipped': (['Was it decided not to {s}?', '"{S}" was deliberately passed over.', 'Has the agent been spared having to {s}?', 'No attempt at "{s}" is to be made.'], ['"{S}" was not passed over.', 'Was "{s}" kept in the plan?', '"{S}" has not been struck from the list.'])}
    questions = []
    for step, kinds in ((steps[0], (here, there)), (steps[1], (there, here))):
        asked = rng.choice(kinds)
        questions.append(polar(rng, (kinds[0] == asked, kinds[1] == asked), filled(forms[asked][0], s=step, S=capital(step)), filled(forms[asked][1], s=step, S=capital(step))))
        meanings = {'done': 'carried out with success', 'failed': 'tried, with an error', 'waiting': 'not begun yet', 'skipped': 'left out on purpose'}
        questions.append(described(rng, [f'How does "{step}" stand?', f'Status of "{step}"?', f'Where is the agent with "{step}"?'], meanings, kinds))
    single = {'done': 'Which step succeeded?', 'failed': 'Which step went wrong?', 'waiting': 'Which step has not begun yet?', 'skipped': 'Which step was left out on purpose?'}
    questions.append(pick(rng, single[here], (steps[0], steps[1]), steps))
    return made(rng, both(render, worlds, rng), questions)


def order(rng: random.Random) -> Twin:
    """Calls in time order; two of them change places."""
    goal, steps = goal_and_steps(rng, rng.randint(3, 6))
    i, j = sorted(rng.sample(range(len(steps)), 2))
    swapped = list(steps)
    swapped[i], swapped[j] = steps[j], steps[i]
    first, second = steps[i], steps[j]
    shape = rng.randrange(4)

    def render(run: list[str], draw: random.Random) -> State:
        if shape == 0:
            return {'task': goal, 'calls': run}
        if shape == 1:
            return [{'turn': n, 'action': step} for n, step in enumerate(run, 1)]
        if shape == 2:
            clock = draw.randint(480, 1000)
            return f'run log ({goal})\n' + '\n'.join(f'{(clock + 3 * n) // 60:02d}:{(clock + 3 * n) % 60:02d} {step}' for n, step in enumerate(run))
        joints = ['After that: ', 'Then: ', 'Next: ', 'It went on: ']
        return f'Asked to {goal}, the agent began: {run[0]}. ' + ' '.join(f'{draw.choice(joints)}{step}.' for step in run[1:])

    before = ['Did "{a}" come before "{b}"?', '"{b}" followed later than "{a}".', 'Was the agent through with "{a}" when it came to "{b}"?', '"{a}" was earlier than "{b}".', 'By the time of "{b}", "{a}" was already behind the agent.', 'Is "{b}" the later of the two, "{a}" being the other?']
    questions = [polar(rng, (True, False), filled(before, a=first, b=second), filled(before, a=second, b=first)) for _ in range(2)]
    for where, ways in ((0, ['What did the agent do first?', 'Which step opens the run?', 'How did the agent begin?']), (len(steps) - 1, ['What did the agent do last?', 'Which step closes the run?', 'What was the final step?'])):
        if steps[where] != swapped[where]:
            questions.append(pick(rng, ways, (steps[where], swapped[where]), steps))
    place = rng.choice([i, j])
    questions.append(pick(rng, [f'Step number {words(place + 1)} of the run?', f'Counting from the start, which step is number {words(place + 1)}?'], (steps[place], swapped[place]), steps))
    return made(rng, both(render, (steps, swapped), rng), questions)


@dataclass(frozen=True)
class Case:
    """A rule, and the history and next call of the state in which it is kept and of that in which it is broken."""

    rule: str
    kept: tuple[list[str], str]
    broken: tuple[list[str], str]


def cases(rng: random.Random) -> dict[str, Case]:
    firm, other = rng.sample([name.lower() for name in FIRM_NAMES], 2)
    limit, spent, boss, count = rng.choice([50, 100, 200, 250, 400]), rng.randint(1, 40), rng.choice(WOMEN), rng.randint(2, 4)
    table, table_2 = rng.sample(['customers', 'orders', 'invoices', 'badges', 'tickets', 'products'], 2)
    searches = [f'web_search("{word}")' for word in rng.sample(['opening hours', 'train times', 'tyre prices', 'roof tiles', 'visa rules', 'garden hose', 'meeting rooms'], count)]
    pay = f'pay(to="{firm}", amount={limit + spent})'
    return {
        'folder': Case(f'Files may only be written below /srv/{firm}.', ([], f'write_file("/srv/{firm}/{table}.csv")'), ([], f'write_file("/srv/{other}/{table}.csv")')),
        'mail': Case(f'Mail goes only to addresses at {firm}.example.', ([], f'send_mail(to="{boss.lower()}@{firm}.example", subject="{other}")'), ([], f'send_mail(to="{boss.lower()}@{other}.example", subject="{firm}")')),
        'amount': Case(f'Payments of more than {limit} are forbidden.', ([], f'pay(to="{firm}", amount={limit - spent})'), ([], pay)),
        'approval': Case(f'A payment above {limit} needs the approval of {boss} first.', ([f'ask({boss}, "{limit + spent} to {firm}?") -> approved'], pay), ([f'ask({boss}, "{limit + spent} to {firm}?") -> no answer yet'], pay)),
        'backup': Case('A table may be deleted only if the same table has been backed up before.', ([f'backup("{table}") -> ok'], f'delete_table("{table}")'), ([f'backup("{table_2}") -> ok'], f'delete_table("{table}")')),
        'searches': Case(f'At most {words(count)} web searches in one run.', (searches[:-1], 'web_search("phone number of the town hall")'), (searches, 'web_search("phone number of the town hall")')),
        'database': Case('In production, only reading is allowed; in staging, anything goes.', ([], f'sql(db="staging", "DELETE FROM {table}")'), ([], f'sql(db="production", "DELETE FROM {table}")')),
        'read only': Case(f'In the database "{firm}", only reading is allowed.', ([], f'sql(db="{firm}", "SELECT * FROM {table}")'), ([], f'sql(db="{firm}", "UPDATE {table} SET active = 0")')),
    }


def allowed(rng: random.Random) -> Twin:
    """A policy, what has happened so far, and the call about to be made: kept in one state, broken in the other."""
    pool = cases(rng)
    name = rng.choice(list(pool))
    clashes = [{'amount', 'approval'}, {'database', 'read only'}, {'database', 'backup'}, {'read only', 'backup'}]  # rules that bear on the same calls
    chosen = [name]
    for key in rng.sample(list(pool), rng.randint(2, 5)):
        if key not in chosen and len(chosen) < 4 and not any(pair <= {*chosen, key} for pair in clashes):
            chosen.append(key)
    rules = rng.sample(chosen, len(chosen))
    noise = rng.sample(['list_files("/")', 'get_time()', 'read_file("notes.txt")', 'open_calendar()', 'count_rows("visits")'], rng.randint(0, 2))
    shape = rng.randrange(3)

    def render(case: tuple[list[str], str], draw: random.Random) -> State:
        history = noise + case[0]
        texts = [pool[rule].rule for rule in rules]
        if shape == 0:
            return {'policy': texts, 'history': history, 'next_call': case[1]}
        if shape == 1:
            return 'Policy:\n' + '\n'.join(f'{n}. {text}' for n, text in enumerate(texts, 1)) + '\nCalls so far:' + (''.join(f'\n> {call}' for call in history) or ' none') + f'\nAbout to call: {case[1]}'
        return f"{' '.join(texts)} So far the agent has called: {'; '.join(history) or 'nothing'}. Now it wants to call {case[1]}."

    questions: list[Any] = [polar(rng, (True, False), ['Is the next call allowed?', 'The call may go ahead.', 'Does the next call keep to the policy?', 'Should the guard let the call pass?', 'All rules are respected by the call about to be made.', 'The agent is free to make the call.'],
                                  ['Should the next call be blocked?', 'The call would break a rule.', 'Is the policy against the next call?', 'The agent must not make this call as things stand.', 'Does the next call go beyond what is permitted?', 'A guard would have to stop the call.'], ('the policy permits it', 'the policy forbids it')) for _ in range(2)]
    questions.append(pick(rng, ['Which rule would the next call break?', 'Name the rule that stands against the call.', 'Is a rule in the way? Which?'], (rng.choice(['no rule', 'none is broken', 'nothing stands in the way']), pool[name].rule), [pool[rule].rule for rule in rules], fixed=True))
    questions.append(described(rng, ['What should the guard do?', 'Verdict on the next call?', 'Decide on the call.'], {'allow': 'let the call go ahead', 'block': 'stop it, since a rule would be broken'}, ('allow', 'block')))
    return made(rng, both(render, (pool[name].kept, pool[name].broken), rng), questions)
