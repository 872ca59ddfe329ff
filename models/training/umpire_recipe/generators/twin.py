"""What a generator makes: two states that differ in one fact, and questions whose answers follow from it."""
import random
from dataclasses import dataclass
from typing import Any

State = str | dict[str, Any] | list[Any]


@dataclass(frozen=True)
class Question:
    """One question asked of both states of a twin.

    type: 'noul', 'choice' or 'score'. instructions: text. criteria: as in a request (None, or {'true', 'false'} in part, for a noul; key -> description or
    None for a choice; list of levels for a score). answers: the right answer in the first and in the second state (bool; key; level index).
    """

    type: str
    instructions: str
    criteria: Any
    answers: tuple[Any, Any]


@dataclass(frozen=True)
class Twin:
    """states: two states. questions: asked of both. At least one answer differs; every 'noul' whose answers are equal must be as often yes as no over draws."""

    states: tuple[State, State]
    questions: list[Question]


def yes_no(instructions: str, answers: tuple[bool, bool], criteria: dict[str, str] | None = None) -> Question:
    return Question('noul', instructions, criteria, answers)


def choice(instructions: str, criteria: dict[str, str | None], answers: tuple[str, str]) -> Question:
    return Question('choice', instructions, criteria, answers)


def score(instructions: str, levels: list[str], answers: tuple[int, int]) -> Question:
    return Question('score', instructions, levels, answers)


def shuffled(rng: random.Random, criteria: dict[str, str | None]) -> dict[str, str | None]:
    """The same criteria in a random order."""
    keys = list(criteria)
    rng.shuffle(keys)
    return {key: criteria[key] for key in keys}
