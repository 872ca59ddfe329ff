"""Teaches who may do what: a person's role, the rights of the role, and rights taken from or lent to one person."""

import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar
from .parts.people import Person, people
from .parts.shapes import fill, filled, layout, made, padded
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score
from .parts.wording import listed

TEXTS = load_texts("permissions")


@dataclass(frozen=True)
class Setting:
    """roles: three, from low to high. rights: for each role, what it may do beyond the roles below it, as 'open the shop'."""

    roles: tuple[str, str, str]
    rights: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Exemption:
    """A right lent to a person, or else taken away."""

    person: Person
    right: str
    lent: bool


World = tuple[list[int], Exemption | None]  # the rank of each person, and an exemption
SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    setting, staff = rng.choice(SETTINGS), people(rng, rng.randint(2, 4))
    rights = [rng.choice(group) for group in setting.rights]
    high, low = rng.sample(range(3), 2)
    kind = rng.choice(["role", "role", "exception"])
    ranks = [high, low, *(rng.randrange(3) for _ in staff[2:])]
    exception: Exemption | None = None
    if kind == "exception":  # it concerns one of two people of the same rank
        ranks[1] = ranks[0]
        lent = ranks[0] < 2 and (ranks[0] == 0 or rng.random() < 0.5)
        right = rights[rng.choice(range(ranks[0] + 1, 3)) if lent else rng.choice(range(ranks[0] + 1))]
        exception = Exemption(staff[0], right, lent)
    swapped = [ranks[1], ranks[0], *ranks[2:]]
    worlds = [(ranks, exception), (swapped, Exemption(staff[1], exception.right, exception.lent) if exception else None)]

    def may(world: World, i: int, right: str) -> bool:
        ranks, exemption = world
        if exemption and exemption.person is staff[i] and exemption.right == right:
            return exemption.lent
        return ranks[i] >= rights.index(right)

    def render(world: World, draw: random.Random) -> State:
        roles, (ranks, exemption) = setting.roles, world
        bare = [role.split(" ", 1)[1] for role in roles]
        rules = [fill(draw, TEXTS["gives"], r=role, x=right) for role, right in zip(roles, rights, strict=False)]
        facts = [fill(draw, TEXTS["has"], p=person.name, r=roles[rank]) for person, rank in zip(staff, ranks, strict=True)]
        tail = []
        if exemption:
            tail.append(fill(draw, TEXTS["lent" if exemption.lent else "taken"], p=exemption.person.name, x=exemption.right))
        top = draw.choice(TEXTS["ordered"]).format(low=roles[0], mid=roles[1], high=roles[2])
        draw.shuffle(facts)
        if draw.random() < 0.25:
            return {
                "order": bare,
                "note": "each role also has the rights of the roles before it",
                "roles": dict(zip(bare, ([right] for right in rights), strict=False)),
                "people": {person.name: bare[rank] for person, rank in zip(staff, ranks, strict=True)},
                **({"exception": tail[0]} if tail else {}),
            }
        blocks = [[*rules, top], [*facts, *tail]]
        draw.shuffle(blocks)
        return layout(draw, padded(draw, blocks[0] + blocks[1], 1), "Rights", mix=False)

    questions = []
    for i in (0, 1):
        for right in rights:
            truth = (may(worlds[0], i, right), may(worlds[1], i, right))
            if truth[0] != truth[1]:
                yes, no = filled(TEXTS["may"], p=staff[i].name, x=right), filled(TEXTS["may_not"], p=staff[i].name, x=right)
                questions.append(polar(rng, truth, yes, no, TEXTS["may_meaning"]))
    for right in rights:
        for wanted, forms in ((True, TEXTS["who_may"]), (False, TEXTS["who_may_not"])):
            who = [[person.name for i, person in enumerate(staff) if may(world, i, right) == wanted] for world in worlds]
            if len(who[0]) == len(who[1]) == 1 and who[0] != who[1]:
                questions.append(pick(rng, filled(forms, x=right), (who[0][0], who[1][0]), [person.name for person in staff]))
        counts = [sum(may(world, i, right) for i in range(1, len(staff))) for world in worlds]
        if counts[0] != counts[1]:
            how_many = filled(TEXTS["how_many_may"], p=staff[0].name, o=listed([person.name for person in staff[1:]]), x=right)
            ask = rng.choice(how_many) if len(staff) > 2 else how_many[0]
            questions.append(score(ask, ["none", "one", "two", "three"][: len(staff)], (counts[0], counts[1])))
    roles = [role.split(" ", 1)[1] for role in setting.roles]
    if kind == "role":
        questions.append(pick(rng, filled(TEXTS["ask_role"], p=staff[0].name), (roles[ranks[0]], roles[swapped[0]]), roles))
    return made(rng, both(render, worlds, rng), questions)
