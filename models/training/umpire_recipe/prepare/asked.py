"""Texts with questions, as training reads them, before they become tokens."""

import random
from dataclasses import dataclass, field, replace

CHOICE, NOUL, SCORE, NLI = range(4)


@dataclass(frozen=True)
class Asked:
    """One question about a state.

    kind: CHOICE, NOUL, SCORE or NLI. instructions: "" if there are none. options: the text of each criterion; for NLI, the hypotheses.
    answer: index of the right option; for a noul 0 is yes. labels: for NLI only, the label of each hypothesis (nli.LABELS).
    """

    kind: int
    instructions: str
    options: list[str]
    answer: int = 0
    labels: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Group:
    """A state and all its questions, which are read together so that the state is encoded once.

    source: where it comes from, for the counts. window_tokens: the longest window; longer states are read in several, as in use.
    max_windows: the rest of the state is left out (only in training; in use nothing is left out).
    """

    state: str
    asked: list[Asked]
    source: str
    window_tokens: int = 382
    max_windows: int = 1


def reordered(asked: Asked, chance: random.Random) -> Asked:
    """Shuffles the options of a choice; other questions stay as they are."""
    if asked.kind != CHOICE:
        return asked
    order = list(range(len(asked.options)))
    chance.shuffle(order)
    return replace(asked, options=[asked.options[i] for i in order], answer=order.index(asked.answer))
