"""Teaches who may do what: a role and what the role allows (two facts), with rights taken away or lent to one person."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar
from .people import Person, people
from .shapes import fill, filled, layout, made, padded
from .twin import State, Twin, score
from .wording import listed


@dataclass(frozen=True)
class Setting:
    """roles from low to high, each with what it adds to the rights of the roles below ('open the shop')."""

    roles: list[str]
    rights: list[list[str]]


SETTINGS = [
    Setting(['a reader', 'an editor', 'an administrator'], [['read the handbook', 'download the forms', 'comment on drafts'], ['change the handbook', 'publish drafts', 'upload pictures'], ['delete pages', 'add members', 'change passwords of others']]),
    Setting(['an assistant', 'a pharmacist', 'the head pharmacist'], [['restock the shelves', 'sell plasters', 'take phone orders'], ['hand out prescriptions', 'mix ointments', 'advise on doses'], ['open the poison cabinet', 'sign the stock audit', 'order narcotics']]),
    Setting(['a trainee', 'a keyholder', 'the site manager'], [['enter the yard', 'use the canteen', 'drive the small forklift'], ['unlock the warehouse', 'sign for deliveries', 'set the alarm'], ['open the safe', 'hire day workers', 'approve overtime']]),
    Setting(['a junior member', 'a full member', 'a board member'], [['use the changing rooms', 'train on weekdays', 'borrow rackets'], ['vote at the assembly', 'book a court', 'bring a guest'], ['sign contracts', 'expel members', 'spend club money']]),
    Setting(['a viewer', 'a developer', 'a maintainer'], [['see the source code', 'open issues', 'run the tests'], ['push branches', 'restart the staging server', 'review changes'], ['merge into main', 'deploy to production', 'rotate the keys']]),
    Setting(['a pupil', 'a prefect', 'a teacher'], [['borrow books', 'use the reading room', 'eat in the hall'], ['enter the music room alone', 'supervise the queue', 'use the copier'], ['excuse absences', 'give detention', 'see the marks of the class']]),
    Setting(['a clerk', 'a cashier', 'a branch manager'], [['greet customers', 'print statements', 'answer the phone'], ['pay out cash', 'open accounts', 'change foreign money'], ['grant loans', 'waive fees', 'open the vault']]),
]
GIVES = ['{r} may {x}.', 'anyone who is {r} can {x}.', 'being {r} means being allowed to {x}.', 'the right to {x} comes with being {r}.', '{r} has permission to {x}.', 'to {x}, one has to be at least {r}.', 'only {r} or someone higher may {x}.']
HAS = ['{p} is {r}.', '{p} counts as {r}.', '{p} joined us as {r}.', '{p} became {r} in spring.', 'on the list, {p} is down as {r}.', 'as for {p}: {r}.', 'since last year {p} has been {r}.', '{p} has been {r} for two months.']
ORDERED = ['Everyone may also do what the roles below them allow: {low}, then {mid}, then {high}.', 'Rights add up from {low} to {mid} to {high}.', 'The order, from the bottom: {low}, {mid}, {high}; each has the rights of those below too.', 'Whatever {low} may do, {mid} may do too, and {high} may do all of it.']
TAKEN = ['{p} has had the right to {x} taken away until further notice.', 'By way of exception, {p} may not {x}.', 'One exception: {p} is barred from this one thing: to {x}.', 'Until the inquiry is over, {p} must not {x}.']
LENT = ['By way of exception, {p} may {x} this month.', 'One exception: {p} has been given leave to {x}.', 'For the holiday weeks, {p} is allowed to {x} as well.', '{p} got special permission to {x}.']
MAY = ['May {p} {x}?', '{p} is allowed to {x}.', 'Does {p} have the right to {x}?', 'It would be in order for {p} to {x}.', '{p} can {x} without breaking the rules.', 'Is {p} entitled to {x}?', '{p} needs nobody else in order to {x}.']
MAY_NOT = ['Is {p} forbidden to {x}?', '{p} must not {x}.', 'Does {p} lack the right to {x}?', 'It would be against the rules for {p} to {x}.', 'Would {p} have to leave it to somebody else to {x}?', '{p} is not entitled to {x}.', '{p} would overstep the mark to {x}.']


def twin(rng: random.Random) -> Twin:
    setting, staff = rng.choice(SETTINGS), people(rng, rng.randint(2, 4))
    rights = [rng.choice(group) for group in setting.rights]
    high, low = rng.sample(range(3), 2)
    kind = rng.choice(['role', 'role', 'exception'])
    ranks = [high, low, *(rng.randrange(3) for _ in staff[2:])]
    exception: tuple[Person, str, bool] | None = None  # (who, right, lent rather than taken)
    if kind == 'exception':  # the exception falls on one of two of equal rank
        ranks[1] = ranks[0]
        lent = ranks[0] < 2 and (ranks[0] == 0 or rng.random() < 0.5)
        right = rights[rng.choice(range(ranks[0] + 1, 3)) if lent else rng.choice(range(ranks[0] + 1))]
        exception = (staff[0], right, lent)
    swapped = [ranks[1], ranks[0], *ranks[2:]]
    worlds = [(ranks, exception), (swapped, (staff[1], exception[1], exception[2]) if exception else None)]

    def may(world: tuple[list[int], tuple[Person, str, bool] | None], i: int, right: str) -> bool:
        if world[1] and world[1][0] is staff[i] and world[1][1] == right:
            return world[1][2]
        return world[0][i] >= rights.index(right)

    def render(world: tuple[list[int], tuple[Person, str, bool] | None], draw: random.Random) -> State:
        roles = setting.roles
        bare = [role.split(' ', 1)[1] for role in roles]
        rules = [fill(draw, GIVES, r=role, x=right) for role, right in zip(roles, rights)]
        facts = [fill(draw, HAS, p=person.name, r=roles[rank]) for person, rank in zip(staff, world[0])]
        tail = [fill(draw, LENT if world[1][2] else TAKEN, p=world[1][0].name, x=world[1][1])] if world[1] else []
        top = draw.choice(ORDERED).format(low=roles[0], mid=roles[1], high=roles[2])
        draw.shuffle(facts)
        if draw.random() < 0.25:
            return {'order': bare, 'note': 'each role also has the rights of the roles before it', 'roles': dict(zip(bare, ([right] for right in rights))), 'people': {person.name: bare[rank] for person, rank in zip(staff, world[0])}, **({'exception': tail[0]} if tail else {})}
        blocks = [rules + [top], facts + tail]
        draw.shuffle(blocks)
        return layout(draw, padded(draw, blocks[0] + blocks[1], 1), 'Rights', mix=False)

    questions = []
    for i in (0, 1):
        for right in rights:
            truth = (may(worlds[0], i, right), may(worlds[1], i, right))
            if truth[0] != truth[1]:
                questions.append(polar(rng, truth, filled(MAY, p=staff[i].name, x=right), filled(MAY_NOT, p=staff[i].name, x=right), ('the rules let this person do it', 'the rules do not let this person do it')))
    for right in rights:
        for wanted, forms in ((True, ['Who may {x}?', 'One of them alone is entitled to {x}. Who?', 'Somebody is needed to {x}. Whom do you ask?', 'Pick the person allowed to {x}.']), (False, ['Who must not {x}?', 'Who would break the rules here: to {x}?', 'Only one of them may not {x}. Who?', 'Pick the one lacking the right to {x}.'])):
            who = [[person.name for i, person in enumerate(staff) if may(world, i, right) == wanted] for world in worlds]
            if len(who[0]) == len(who[1]) == 1 and who[0] != who[1]:
                questions.append(pick(rng, filled(forms, x=right), (who[0][0], who[1][0]), [person.name for person in staff]))
        counts = [sum(may(world, i, right) for i in range(1, len(staff))) for world in worlds]
        if counts[0] != counts[1]:
            questions.append(score(rng.choice(filled(['Leaving {p} aside, how many may {x}?', 'How many of {o} are entitled to {x}?'], p=staff[0].name, o=listed([person.name for person in staff[1:]]), x=right)) if len(staff) > 2 else f'Leaving {staff[0].name} aside, how many may {right}?',
                                   ['none', 'one', 'two', 'three'][:len(staff)], (counts[0], counts[1])))
    roles = [role.split(' ', 1)[1] for role in setting.roles]
    if kind == 'role':
        questions.append(pick(rng, filled(['What is {p}?', 'Role of {p}?', 'Which role does {p} have?'], p=staff[0].name), (roles[ranks[0]], roles[swapped[0]]), roles))
    return made(rng, both(render, worlds, rng), questions)
