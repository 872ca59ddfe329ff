"""Makes questions: a yes/no in either polarity, or a choice with plain, described or opaque keys."""

import random
from collections.abc import Callable, Sequence
from typing import Any

from .twin import Question, State, choice, shuffled, yes_no

NONE_KEYS = ("none of these", "none of them", "none of the above", "not listed", "other")
OPAQUE = (
    ("a", "b", "c", "d", "e", "f", "g", "h"),
    ("A", "B", "C", "D", "E", "F", "G", "H"),
    ("r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8"),
    ("1", "2", "3", "4", "5", "6", "7", "8"),
    ("opt_a", "opt_b", "opt_c", "opt_d", "opt_e", "opt_f", "opt_g", "opt_h"),
    ("K4", "K7", "K1", "K9", "K2", "K8", "K5", "K3"),
    ("x", "y", "z", "w", "v", "u", "t", "s"),
)


def both(render: Callable[[Any, random.Random], State], facts: Sequence[Any], rng: random.Random) -> tuple[State, State]:
    """The two states of a twin. Both are rendered with the same random choices, so their wording is the same."""
    seed = rng.getrandbits(48)
    return render(facts[0], random.Random(seed)), render(facts[1], random.Random(seed))


def polar(
    rng: random.Random,
    truth: tuple[bool, bool],
    yes_forms: Sequence[str],
    no_forms: Sequence[str] = (),
    meaning: Sequence[str] | None = None,
) -> Question:
    """A yes/no question.

    truth: whether the fact holds in each state. yes_forms ask whether it holds, no_forms whether it does not.
    meaning: what it means that the fact holds, and that it does not; sometimes used as criteria.
    """
    inverse = bool(no_forms) and rng.random() < 0.5
    answers = (truth[0] != inverse, truth[1] != inverse)
    criteria = None
    if meaning and rng.random() < 0.35:
        criteria = {"true": meaning[inverse], "false": meaning[not inverse]}
        if rng.random() < 0.3:
            del criteria[rng.choice(["true", "false"])]
    return yes_no(rng.choice(no_forms if inverse else yes_forms), answers, criteria)


def pick(
    rng: random.Random,
    instructions: str | Sequence[str],
    right: Sequence[str],
    wrong: Sequence[str],
    most: int = 8,
    opaque: float = 0.25,
    fixed: bool = False,
) -> Question:
    """A choice among values.

    right: the right value in each state. wrong: tempting values from the same text. most: the largest number of values.
    opaque: the share of questions with opaque keys. fixed: the values are a closed set, so none is left out and
    'none of these' is not offered.
    """
    others = [value for value in dict.fromkeys(wrong) if value not in right]
    rng.shuffle(others)
    values = [*dict.fromkeys(right), *others][: most if fixed else rng.randint(min(3, most), most)]
    none_key = None
    answers = list(right)
    if not fixed and rng.random() < 0.25:
        none_key = rng.choice(NONE_KEYS)
        if rng.random() < 0.5 and len(values) > 2:  # without this value 'none of these' is right in one state
            gone = rng.choice(right)
            values.remove(gone)
            answers = [none_key if answer == gone else answer for answer in answers]
    rng.shuffle(values)
    question = instructions if isinstance(instructions, str) else rng.choice(instructions)
    if rng.random() < opaque and len(values) < 8:
        names = rng.choice(OPAQUE)
        values += [none_key] if none_key else []
        rng.shuffle(values)
        codes = dict(zip(values, names, strict=False))
        return choice(question, {code: value for value, code in codes.items()}, (codes[answers[0]], codes[answers[1]]))
    criteria: dict[str, str | None] = dict.fromkeys(values + ([none_key] if none_key else []))
    return choice(question, shuffled(rng, criteria) if rng.random() < 0.7 else criteria, (answers[0], answers[1]))


def described(rng: random.Random, instructions: str | Sequence[str], options: dict[str, str], right: Sequence[str]) -> Question:
    """A choice among a closed set of keys: the keys alone, keys with descriptions, or opaque keys with descriptions."""
    question = instructions if isinstance(instructions, str) else rng.choice(instructions)
    style = rng.random()
    keys = list(options)
    rng.shuffle(keys)
    if style < 0.35:
        return choice(question, dict.fromkeys(keys), right)
    if style < 0.7:
        return choice(question, {key: options[key] for key in keys}, right)
    codes = dict(zip(keys, rng.choice(OPAQUE), strict=False))
    return choice(question, {codes[key]: options[key] for key in keys}, (codes[right[0]], codes[right[1]]))


def without_repeats(questions: Sequence[Question]) -> list[Question]:
    """The questions without duplicates."""
    return list({(question.type, question.instructions): question for question in questions}.values())
