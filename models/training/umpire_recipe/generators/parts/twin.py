"""What a generator makes: two states that differ in one fact, and questions whose answers follow from it."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

State = str | dict[str, Any] | list[Any]


@dataclass(frozen=True)
class Question:
    """One question asked of both states of a twin.

    type: 'noul' (a yes/no question answered with a probability), 'choice' or 'score'.
    criteria: as in a request. For a noul, None or a dict with 'true', 'false' or both; for a choice, key -> description or None;
    for a score, the list of levels.
    answers: the right answer in the first and in the second state (bool; key; index of the level).
    """

    type: str
    instructions: str
    criteria: Any
    answers: tuple[Any, Any]


@dataclass(frozen=True)
class Twin:
    """Two states, and questions asked of both. At least one has different answers.

    Over many twins, a noul with the same answer in both states must be 'yes' as often as 'no'.
    """

    states: tuple[State, State]
    questions: list[Question]


def yes_no(instructions: str, answers: tuple[bool, bool], criteria: dict[str, str] | None = None) -> Question:
    return Question("noul", instructions, criteria, answers)


def choice(instructions: str, criteria: dict[str, str | None], answers: tuple[str, str]) -> Question:
    return Question("choice", instructions, criteria, answers)


def score(instructions: str, levels: Sequence[str], answers: tuple[int, int]) -> Question:
    return Question("score", instructions, list(levels), answers)


def shuffled(rng: random.Random, criteria: dict[str, str | None]) -> dict[str, str | None]:
    """The same criteria in a random order."""
    keys = list(criteria)
    rng.shuffle(keys)
    return {key: criteria[key] for key in keys}
