"""Teaches reading a JSON record: fields with similar names (billing/shipping, old/new), flags, nulls, and two fields together."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .parts.asking import both, pick, polar
from .parts.people import CITIES, DEPARTMENTS, GOODS, MEN, ROLES, WOMEN
from .parts.shapes import filled, formatted, made
from .parts.text_files import load_texts
from .parts.twin import Twin
from .parts.wording import cap

TEXTS = load_texts("json_records")


@dataclass(frozen=True)
class Pair:
    """Two sibling fields whose values change places between the states. called: what the questions call them."""

    keys: tuple[str, str]
    values: Sequence[Any]
    called: tuple[str, str]


@dataclass(frozen=True)
class Flag:
    """A yes/no field. says: the values for yes and for no (true/false, a date/null, a word). yes, no: questions whether it holds or not."""

    key: str
    says: tuple[tuple[Any, Any], ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]


@dataclass(frozen=True)
class Setting:
    """top: the name of the record. fillers: the values of fields that no question is about."""

    top: str
    pairs: list[Pair]
    flags: list[Flag]
    fillers: dict[str, Sequence[Any]]


# The values that the data file gives by name.
VALUES: dict[str, Sequence[Any]] = {
    "cities": CITIES,
    "departments": DEPARTMENTS,
    "goods": [item.one for item in GOODS],
    "names": WOMEN + MEN,
    "roles": ROLES,
    "seats": [f"{row}{letter}" for row in range(1, 30) for letter in "ABCDEF"],
    "temperatures": range(4, 31),
}


def pair_of(row: dict[str, Any]) -> Pair:
    values = row["values"]
    return Pair(row["keys"], VALUES[values] if isinstance(values, str) else values, row["called"])


def filler_of(values: Any) -> Sequence[Any]:
    return range(values["from"], values["below"]) if isinstance(values, dict) else values


SETTINGS = [
    Setting(
        row["top"],
        [pair_of(pair) for pair in row["pairs"]],
        [Flag(**flag) for flag in row["flags"]],
        {key: filler_of(values) for key, values in row["fillers"].items()},
    )
    for row in TEXTS["settings"]
]


def nested(rng: random.Random, top: str, fields: dict[str, Any]) -> Any:
    """The fields flat, under one name, or partly in an inner object."""
    items = list(fields.items())
    rng.shuffle(items)
    shape, cut = rng.randrange(4), len(items) // 2
    if shape == 0:
        return dict(items)
    if shape == 1:
        return {top: dict(items)}
    if shape == 2:
        return {top: dict(items[:cut]), "details": dict(items[cut:])}
    return {"type": top, **dict(items[:cut]), rng.choice(["meta", "more", "info"]): dict(items[cut:])}


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    pair, flag = rng.choice(setting.pairs), rng.choice(setting.flags)
    others = [other for other in setting.pairs if other is not pair]
    values: list[Any] = rng.sample(list(pair.values), 2)
    base: dict[str, Any] = {key: rng.choice(list(choices)) for key, choices in rng.sample(list(setting.fillers.items()), rng.randint(1, 3))}
    for other in others:
        base.update(zip(other.keys, rng.sample(list(other.values), 2), strict=False))
    pair_changes = rng.random() < 0.6  # otherwise the flag changes
    says = rng.choice(flag.says)
    swap_order = rng.random() < 0.5
    base.update({pair.keys[0]: values[0], pair.keys[1]: values[1], flag.key: says[0]})
    # The other flag is the same in both states, as a distraction.
    spare = next(other for other in setting.flags if other is not flag)
    spare_true = rng.random() < 0.5
    base[spare.key] = rng.choice(spare.says)[0 if spare_true else 1]
    changed = dict(base)
    changed.update({pair.keys[0]: values[1], pair.keys[1]: values[0]} if pair_changes else {flag.key: says[1]})
    worlds = (base, changed) if swap_order else (changed, base)
    holds_flag = tuple(world[flag.key] == says[0] for world in worlds)
    questions = []
    if pair_changes:
        for i in (0, 1):
            value = rng.choice(values)
            fits = tuple(world[pair.keys[i]] == value for world in worlds)
            yes, no = filled(TEXTS["is"], v=value, c=pair.called[i]), filled(TEXTS["is_not"], v=value, c=pair.called[i])
            questions.append(polar(rng, (fits[0], fits[1]), yes, no))
            right = (str(worlds[0][pair.keys[i]]), str(worlds[1][pair.keys[i]]))
            tempting = [str(base[key]) for other in setting.pairs for key in other.keys]
            questions.append(pick(rng, filled(TEXTS["ask_value"], c=pair.called[i]), right, tempting))
    else:
        questions += [polar(rng, (holds_flag[0], holds_flag[1]), flag.yes, flag.no) for _ in range(2)]
        # The flag together with a field that is stated correctly for both states.
        statement, yes = cap(f"{values[0]} is {pair.called[0]}."), rng.choice([form for form in flag.yes if form.endswith(".")])
        both_true, not_both = (formatted(TEXTS[key], statement=statement, yes=yes) for key in ("both_true", "not_both"))
        questions.append(polar(rng, (holds_flag[0], holds_flag[1]), both_true, not_both))
    return made(rng, both(lambda world, draw: nested(draw, setting.top, world), worlds, rng), questions)
