"""What the model reads of a request: readable text for structured values, and one text for each option.

Values come from `json.loads`. Keys are ordered and numbers written as JavaScript does, because the engine runs there.
"""

import json
import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

Json = str | int | float | bool | None | list | dict
LARGEST_INDEX = 2**32 - 2


def is_index(key: str) -> bool:
    return re.fullmatch(r"0|[1-9][0-9]{0,9}", key) is not None and int(key) <= LARGEST_INDEX


def in_javascript_order(value: dict[str, Json]) -> list[tuple[str, Json]]:
    """Keys as JavaScript lists them: whole numbers first, ascending, then the others in their given order."""
    numbers = sorted((key for key in value if is_index(key)), key=int)
    return [(key, value[key]) for key in (*numbers, *(key for key in value if not is_index(key)))]


def number_text(value: int | float) -> str:
    """A number as JSON.stringify writes it: the shortest digits that restore the double, with an exponent from 1e21 up and below 1e-6."""
    negative, digits, exponent = Decimal(repr(float(value))).normalize().as_tuple()
    significant, sign = "".join(map(str, digits)), "-" if negative else ""
    point = len(significant) + exponent  # how many digits stand before the decimal point
    if significant == "0":
        return "0"
    if len(significant) <= point <= 21:
        return sign + significant.ljust(point, "0")
    if 0 < point <= 21:
        return f"{sign}{significant[:point]}.{significant[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{significant}"
    tail = f".{significant[1:]}" if significant[1:] else ""
    return f"{sign}{significant[0]}{tail}e{point - 1:+d}"


def text_of(value: Json) -> str:
    """A string stays as it is. Objects become `key: value` lines, arrays `- item` lines, empty ones the empty string."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        return "\n".join(f"{key}: {text_of(item)}" for key, item in in_javascript_order(value))
    if isinstance(value, list):
        return "\n".join(f"- {text_of(item)}" for item in value)
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    return number_text(value)


def given(value: Json) -> str:
    """The text of an optional value; "" for null."""
    return "" if value is None else text_of(value)


def says_nothing(key: str) -> bool:
    """Whether a key is only a handle, such as `a`, `q3` or `lvl_2`. The model then reads its description alone."""
    return len(key) <= 2 or (len(key) <= 9 and any(unicodedata.category(letter) == "Nd" for letter in key))


def option_text(key: str, description: Json) -> str:
    described, named = given(description), key.replace("_", " ")
    if not described:
        return named
    return described if says_nothing(key) else f"{named}: {described}"


@dataclass(frozen=True)
class Reading:
    """What the model reads of a question.

    instructions: "" if the question has none. options: one text for each criterion, in the caller's order. For a noul (a yes/no question
    answered with a probability): yes, then no.
    """

    instructions: str
    options: list[str]


def reading_of(question: dict[str, Json]) -> Reading:
    criteria = question.get("criteria")
    if question["type"] == "choice":
        options = [option_text(key, description) for key, description in in_javascript_order(criteria)]
    elif question["type"] == "score":
        options = [given(level) or str(number) for number, level in enumerate(criteria)]
    else:
        criteria = criteria or {}
        described = {answer: given(criteria.get(key)) for answer, key in (("yes", "true"), ("no", "false"))}
        options = [f"{answer}: {text}" if text else answer for answer, text in described.items()]
    return Reading(given(question.get("instructions")), options)
