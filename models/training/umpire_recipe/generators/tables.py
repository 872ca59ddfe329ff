"""Teaches reading a table: the right row and column, comparisons, the highest and lowest, how many rows reach a limit."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from .parts.asking import both, pick, polar
from .parts.layouts import table
from .parts.people import CITIES, DEPARTMENTS, FOOD, GOODS, MEN, WOMEN, firms
from .parts.shapes import aside, filled, made
from .parts.text_files import load_texts
from .parts.twin import Question, State, Twin, score
from .parts.wording import number

TEXTS = load_texts("tables")

Cells = dict[str, dict[str, Any]]


@dataclass(frozen=True)
class Setting:
    """A kind of table. row: what a row is. numbers: columns and their ranges. texts: columns and their values. names: names seven rows."""

    title: str
    row: str
    numbers: dict[str, tuple[int, int]]
    texts: dict[str, tuple[str, ...]]
    names: Callable[[random.Random], list[str]]


NAMES = {
    "Stock list": lambda rng: [item.one for item in rng.sample(GOODS, 7)],
    "League table": lambda rng: rng.sample(CITIES, 7),
    "Exam results": lambda rng: rng.sample(WOMEN + MEN, 7),
    "Departments": lambda rng: rng.sample(DEPARTMENTS, 7),
    "Offers": lambda rng: firms(rng, 7),
    "Menu": lambda rng: [item.one for item in rng.sample(FOOD, 7)],
    "Servers": lambda rng: [f"{rng.choice(TEXTS['server_kinds'])}-{n:02d}" for n in rng.sample(range(1, 40), 7)],
    "Flats": lambda rng: [f"flat {n}" for n in rng.sample(range(1, 60), 7)],
}
SETTINGS = [Setting(**row, names=NAMES[row["title"]]) for row in TEXTS["settings"]]


def shown(rng: random.Random, setting: Setting, cells: Cells, columns: list[str]) -> State:
    """The table in one of seven formats."""
    header = [setting.row, *columns]
    rows = [[name, *(row[column] for column in columns)] for name, row in cells.items()]
    shape = rng.randrange(7)
    if shape == 0:
        return [dict(zip(header, row, strict=True)) for row in rows]
    if shape == 1:
        return {name: dict(zip(columns, row, strict=True)) for name, *row in rows}
    if shape == 2:
        return [header, *rows]
    if shape == 3:
        return {"title": setting.title, "columns": header, "rows": rows}
    if shape == 4:
        mark = rng.choice([",", ";", "\t", " | "])
        return "\n".join(mark.join(map(str, row)) for row in [header, *rows])
    if shape == 5:
        lines = [f"{name}: " + ", ".join(f"{column} {value}" for column, value in zip(columns, row, strict=True)) for name, *row in rows]
        return "\n".join([setting.title, *lines])
    return rng.choice([f"{setting.title}\n\n", "", f"{aside(rng)}\n\n"]) + table(header, rows)


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    names = list(dict.fromkeys(setting.names(rng)))[: rng.randint(3, 6)]
    figure_columns, text_column = rng.sample(list(setting.numbers), 2), rng.choice(list(setting.texts))
    columns = rng.sample([*figure_columns, text_column], 3)
    cells: Cells = {name: {} for name in names}
    for column in figure_columns:  # the figures of a column are all different
        low, high = setting.numbers[column]
        for name, value in zip(names, rng.sample(range(low, high + 1), min(len(names), high - low + 1)), strict=False):
            cells[name][column] = value
    for name in names:
        cells[name][text_column] = rng.choice(setting.texts[text_column])
    changed = rng.choice([figure_columns[0]] * 3 + [text_column])
    first, second = rng.sample(names, 2)
    if changed == text_column:
        cells[first][text_column], cells[second][text_column] = rng.sample(setting.texts[text_column], 2)
    after = {name: dict(row) for name, row in cells.items()}  # in the second state the two cells swap
    after[first][changed], after[second][changed] = cells[second][changed], cells[first][changed]
    worlds = (cells, after)

    questions = []
    for row in (first, second):
        value = rng.choice([world[row][changed] for world in worlds])
        said = number(rng, value) if isinstance(value, int) else value
        equal, unequal = filled(TEXTS["equal"], v=said, c=changed, r=row), filled(TEXTS["unequal"], v=said, c=changed, r=row)
        questions.append(polar(rng, (cells[row][changed] == value, after[row][changed] == value), equal, unequal))
    kind = type(cells[first][changed])
    values = [world[name][column] for world in worlds for name in names for column in columns]
    tempting = [str(value) for value in values if isinstance(value, kind)]
    right = (str(cells[first][changed]), str(after[first][changed]))
    questions.append(pick(rng, filled(TEXTS["ask_cell"], c=changed, r=first), right, tempting))
    if changed != text_column:
        questions += comparisons(rng, setting, worlds, changed, first, second, names)
    return made(rng, both(lambda world, draw: shown(draw, setting, world, columns), worlds, rng), questions)


def comparisons(
    rng: random.Random, setting: Setting, worlds: tuple[Cells, Cells], column: str, first: str, second: str, names: list[str]
) -> list[Question]:
    """Asks which of two rows is higher, which of all is highest or lowest, and how many reach a limit."""
    more, less = filled(TEXTS["more"], c=column, r=first, s=second), filled(TEXTS["less"], c=column, r=first, s=second)
    higher = [world[first][column] > world[second][column] for world in worlds]
    questions = [polar(rng, (higher[0], higher[1]), more, less)]
    for best, forms in ((max, TEXTS["which_highest"]), (min, TEXTS["which_lowest"])):
        right = [best(names, key=lambda name: world[name][column]) for world in worlds]
        if right[0] != right[1]:
            questions.append(pick(rng, filled(forms, c=column, row=setting.row), (right[0], right[1]), names))
    group = [name for name in names if name != second]
    limit = (worlds[0][first][column] + worlds[0][second][column] + 1) // 2
    counts = [sum(world[name][column] >= limit for name in group) for world in worlds]
    levels = ["none", "one", "two", "three", "four", "five"][: len(group) + 1]
    how_many = filled(TEXTS["how_many_reach"], s=second, l=number(rng, limit), c=column)
    questions.append(score(rng.choice(how_many), levels, (counts[0], counts[1])))
    return questions
