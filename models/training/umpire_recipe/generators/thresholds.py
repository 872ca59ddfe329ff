"""Teaches limits: whether a value reaches, passes or falls short of a stated limit, with 'at least', 'over', 'up to' and 'under' told apart at the limit itself."""
import random
from dataclasses import dataclass

from .asking import both, described, pick, polar, without_repeats
from .people import people
from .twin import Twin, score
from .wording import number, with_asides


@dataclass(frozen=True)
class Setting:
    """rule takes {rule}, the limit in words; case takes {who} and {value}. good/bad: what meeting the rule does or does not bring, said of {who}."""

    title: str
    rules: tuple[str, ...]
    cases: tuple[str, ...]
    good: tuple[str, ...]
    bad: tuple[str, ...]
    unit: tuple[str, str]
    low: int
    high: int
    step: int


SETTINGS = [
    Setting('Free shipping', ('Shipping is free for orders of {rule}.', 'We deliver at no charge when the basket is {rule}.', 'No delivery fee applies to orders of {rule}.', 'Orders of {rule} ship free.', 'For baskets of {rule} we pay the postage.', 'The carriage is on us if you order {rule}.'),
            ("{who}'s basket comes to {value}.", '{who} ordered for {value}.', 'The order of {who} totals {value}.', '{who} has put goods worth {value} in the cart.', '{who}: order total {value}.', '{who} is buying for {value}.'),
            ('{who} gets free delivery', '{who} pays no postage', "{who}'s order ships free", '{who} qualifies for free shipping'), ('{who} has to pay for delivery', '{who} is charged postage', "{who}'s order does not ship free", '{who} fails to qualify for free shipping'), ('euro', 'euros'), 30, 150, 5),
    Setting('Spring half-marathon', ('Entry is open to runners aged {rule}.', 'You may start if you are {rule} old.', 'Runners must be {rule} old on race day.', 'Age limit: {rule}.', 'We accept entries from anyone aged {rule}.', 'Only people who are {rule} old can be given a number.'),
            ('{who} will be {value} old on race day.', '{who} is {value} old.', 'Entry form, {who}: age {value}.', "On the day, {who}'s age is {value}.", '{who}, {value} old, wants to start.', '{who} (age {value}) has sent in a form.'),
            ('{who} may run', '{who} can be given a number', "{who}'s age is within the rule", '{who} can enter'), ('{who} may not run', '{who} must be refused a number', "{who}'s age breaks the rule", '{who} cannot enter'), ('year', 'years'), 14, 60, 1),
    Setting('Disk alarm', ('Page the on-call engineer when a volume is {rule} full.', 'A volume that is {rule} full sets off the alarm.', 'Alarm threshold: {rule} full.', 'We raise a ticket for any disk that is {rule} full.', 'Anything that is {rule} full wakes somebody up.', 'The monitor goes red for disks that are {rule} full.'),
            ('Volume {who}: {value} used.', '{who} is at {value}.', 'disk {who} usage={value}', 'Usage on {who} stands at {value}.', '{who} reports {value} in use.', '{who} has filled to {value}.'),
            ('volume {who} sets off the alarm', '{who} meets the alarm condition', 'a ticket is due for {who}', 'somebody should be alerted about {who}'), ('volume {who} leaves the alarm silent', '{who} does not meet the alarm condition', 'no ticket is due for {who}', 'nobody needs to be alerted about {who}'), ('percent', 'percent'), 60, 95, 1),
    Setting('Fever leaflet', ('Ring the ward if the pulse is {rule}.', 'Call us when the resting pulse is {rule}.', 'A pulse of {rule} has to be reported.', 'Report to the nurse: a pulse of {rule}.', 'Tell the doctor of any resting pulse of {rule}.', 'We want to hear of a pulse of {rule}.'),
            ("{who}'s pulse is {value}.", 'Pulse of {who} this morning: {value}.', '{who} measured {value}.', 'At rest {who} has {value}.', '{who} came out at {value}.', 'For {who} the monitor shows {value}.'),
            ("{who}'s pulse has to be reported", 'the ward must hear about {who}', '{who} should be reported', 'a call about {who} is needed'), ("{who}'s pulse need not be reported", 'the ward need not hear about {who}', '{who} can go unreported', 'no call about {who} is needed'), ('beat a minute', 'beats a minute'), 50, 130, 2),
    Setting('Expenses', ('Spending of {rule} needs a signature from the manager.', 'The manager signs for purchases of {rule}.', 'Claims of {rule} go to the manager first.', 'A second signature is required for sums of {rule}.', 'Ask the manager before you spend {rule}.', 'Claims of {rule} are held until the manager has signed.'),
            ('{who} claims {value}.', "{who}'s claim: {value} for a train ticket.", '{who} spent {value} on a hotel.', 'Receipt handed in by {who}: {value}.', '{who} asks for {value} back.', '{who} has a bill for {value}.'),
            ("{who}'s claim needs the manager", 'a manager must sign for {who}', '{who} needs a second signature', "{who}'s claim is held for a signature"), ("{who}'s claim can be paid without the manager", 'no manager has to sign for {who}', '{who} needs no second signature', "{who}'s claim goes straight through"), ('dollar', 'dollars'), 125, 800, 25),
    Setting('Ferry', ('Vehicles of {rule} go on the lower deck.', 'The lower deck is for vehicles of {rule}.', 'We send vans of {rule} below.', 'If your vehicle is {rule}, follow the signs to the lower deck.', 'Lower deck: vehicles of {rule}.', 'Crew direct every vehicle of {rule} to the deck below.'),
            ("{who}'s van weighs {value}.", '{who} drives a van of {value}.', 'Booking {who}: van, {value}.', 'The scales say {value} for {who}.', '{who} turns up with a van of {value}.', 'Van of {who}: {value}.'),
            ('{who} parks on the lower deck', "{who}'s van goes below", '{who} belongs on the deck below', 'the crew send {who} to the lower deck'), ('{who} stays off the lower deck', "{who}'s van does not go below", '{who} does not belong on the deck below', 'the crew keep {who} off the lower deck'), ('kilo', 'kilos'), 1500, 4000, 100),
    Setting('Scholarship', ('The grant goes to pupils with a mark of {rule}.', 'Pupils whose result is {rule} receive the grant.', 'Condition for the grant: a result of {rule}.', 'We pay the grant for results of {rule}.', 'A result of {rule} earns the grant.', 'The grant is for a test result of {rule}.'),
            ('{who} scored {value}.', "{who}'s result: {value}.", '{who} came home with {value}.', 'In the test {who} reached {value}.', '{who} got {value}.', 'Result sheet: {who}, {value}.'),
            ('{who} earns the grant', '{who} receives the grant', "{who}'s result is good for the grant", 'the grant goes to {who}'), ('{who} misses the grant', '{who} does not receive the grant', "{who}'s result is not good for the grant", '{who} goes without the grant'), ('point', 'points'), 40, 95, 1),
    Setting('Agent policy', ('Refunds of {rule} must be confirmed by a human before the tool is called.', 'Before issuing a refund of {rule}, stop and ask a human.', 'require_approval: refunds of {rule}', 'The agent asks a human first for refunds of {rule}.', 'Human approval is wanted on refunds of {rule}.', 'Never send a refund of {rule} without a human yes.'),
            ('issue_refund(customer="{who}") for {value}', 'Pending: refund of {value} to {who}.', '{who} is owed {value}.', 'The agent wants to return {value} to {who}.', 'Refund request from {who}: {value}.', '{who} asks for {value} to be paid back.'),
            ("{who}'s refund needs a human yes", 'the agent must ask before refunding {who}', 'approval is required for {who}', "{who}'s refund has to wait for a person"), ("{who}'s refund needs no human yes", 'the agent may refund {who} on its own', 'approval is not required for {who}', "{who}'s refund need not wait for a person"), ('dollar', 'dollars'), 60, 500, 10),
]
# wording of the limit -> what reaching it means, by the sign of (value - limit)
ABOVE_IN = ('{n} or more', 'at least {n}', 'from {n} upwards', 'no less than {n}', 'not below {n}', '{n} and above')
ABOVE_OUT = ('over {n}', 'more than {n}', 'above {n}', 'in excess of {n}', 'higher than {n}')
BELOW_IN = ('{n} or less', 'at most {n}', 'up to and including {n}', 'no more than {n}', 'not above {n}', 'not over {n}')
BELOW_OUT = ('under {n}', 'less than {n}', 'below {n}', 'lower than {n}')
KINDS = ((ABOVE_IN, lambda v, n: v >= n), (ABOVE_OUT, lambda v, n: v > n), (BELOW_IN, lambda v, n: v <= n), (BELOW_OUT, lambda v, n: v < n))


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    forms, holds = rng.choice(KINDS)
    limit = rng.randrange(s.low, s.high + 1, s.step)
    # values at the limit and on both sides of it, the closest first
    near = [limit, limit + s.step, limit - s.step, limit + 3 * s.step, limit - 3 * s.step, limit + 2 * s.step]
    first = rng.choice(near)
    second = rng.choice([value for value in near if holds(value, limit) != holds(first, limit)])
    who, other = (['/data', '/home', '/var', '/backup', '/logs', '/media'], ['/srv', '/tmp', '/mail', '/scratch']) if 'Disk' in s.title else ([p.name for p in people(rng, 1)], [])
    name = rng.choice(who)
    rival = rng.choice(other) if other else next(p.name for p in people(rng, 3) if p.name != name)
    rival_value = rng.choice([first, second, *near])
    say = lambda n: f'{number(rng, n, .35)} {s.unit[n != 1]}'
    limit_text, values, rival_text = rng.choice(forms).format(n=say(limit)), (say(first), say(second)), say(rival_value)
    rule, case, rival_case = rng.choice(s.rules).format(rule=limit_text), *rng.sample(s.cases, 2)

    def render(value: str, local: random.Random) -> str:
        cases = [case.format(who=name, value=value)] + ([rival_case.format(who=rival, value=rival_text)] if has_rival else [])
        local.shuffle(cases)
        if old_rule:
            cases.insert(local.randrange(len(cases) + 1), old_rule)
        lines = with_asides(local, [rule, *cases] if local.random() < .75 else [*cases, rule])
        return {0: '\n'.join(lines), 1: f'{s.title}\n' + '\n'.join('- ' + line for line in lines)}.get(local.randrange(4), ' '.join(lines))

    has_rival = rng.random() < .7
    old = say(limit + rng.choice([-4, -3, -2, 2, 3, 4]) * s.step)
    old_rule = rng.choice([f'(Until last year the limit was {old}.)', f'The former figure of {old} no longer applies.', f'An older notice says {old}; ignore it.', f'The leaflet with {old} in it is out of date.']) if rng.random() < .4 else ''
    states = both(render, values, rng)
    truth = (holds(first, limit), holds(second, limit))
    ask = lambda forms_: [t for f in forms_ for t in (f'{f.format(who=name)[:1].upper()}{f.format(who=name)[1:]}.', f'Is it right that {f.format(who=name)}?', f'By the rule, {f.format(who=name)}.', f'Does it follow that {f.format(who=name)}?')]
    meaning = (rng.choice(s.good).format(who=name), rng.choice(s.bad).format(who=name))
    questions = [polar(rng, truth, ask(s.good), ask(s.bad), meaning)]
    if rng.random() < .4:
        questions.append(polar(rng, truth, ask(s.good), ask(s.bad)))
    sign = tuple((value > limit) - (value < limit) + 1 for value in (first, second))
    levels = rng.choice([['below the limit', 'exactly the limit', 'above the limit'], ['lower', 'equal', 'higher'], ['short of the figure in the rule', 'the very figure in the rule', 'beyond the figure in the rule'], ['less than the threshold', 'right on it', 'more than the threshold']])
    if rng.random() < .6:
        questions.append(score(rng.choice([f'How does the figure for {name} compare with the figure in the rule?', f"{name} measured against the limit:", f"Where does {name}'s figure lie?", f'{name}: below, at or above the figure in the rule?']), levels, sign))
    else:
        names = ('under', 'at', 'over')
        questions.append(described(rng, [f"{name}'s figure against the limit", f'Where is {name} relative to the limit?', f'Which fits {name}?'], {'under': 'the figure is smaller than the limit', 'at': 'the figure equals the limit', 'over': 'the figure is larger than the limit'}, (names[sign[0]], names[sign[1]])))
    yes, no = rng.choice([('yes', 'no'), ('applies', 'does not apply'), ('rule met', 'rule not met'), ('covered', 'not covered')])
    if rng.random() < .6:
        options = {yes: meaning[0], no: meaning[1]}
        questions.append(described(rng, [f'Does the rule apply to {name}?', f'{name}: is the condition of the rule met?', f'Does the rule take in {name}?', f'The condition of the rule, tested on {name}:'], options, ((no, yes)[truth[0]], (no, yes)[truth[1]])))
    if has_rival and rng.random() < .6:
        rival_truth = holds(rival_value, limit)
        labels = {(True, True): 'both', (True, False): f'only {name}', (False, True): f'only {rival}', (False, False): 'neither'}
        questions.append(pick(rng, ['Whom does the rule take in?', 'Who meets the stated limit?', 'To which of them does the rule apply?', 'Who falls under the rule?'] if 'Disk' not in s.title else ['Which volume sets off the alarm?', 'For which volume does the rule apply?'],
                              (labels[truth[0], rival_truth], labels[truth[1], rival_truth]), list(labels.values()), most=4, fixed=True, opaque=.15))
    if first != second and rng.random() < .4:
        questions.append(pick(rng, [f'Which figure belongs to {name}?', f'{name}: how much?', f'What is stated for {name}?'], (str(first), str(second)), [str(v) for v in [*near, rival_value]], most=6))
    return Twin(states, without_repeats(questions))
