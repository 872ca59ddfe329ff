"""What training reads: texts with questions, before they become tokens."""

import random
from dataclasses import dataclass, field, replace

CHOICE, NOUL, SCORE, NLI = range(4)


@dataclass(frozen=True)
class Asked:
    """One question of a state.

    kind: CHOICE, NOUL, SCORE or NLI. instructions: "" for none. options: what is read of each criterion (for NLI: hypotheses).
    answer: index of the right option; for a noul 0 is yes. labels: for NLI only, one a hypothesis (see nli.LABELS).
    """

    kind: int
    instructions: str
    options: list[str]
    answer: int = 0
    labels: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Group:
    """A state with all that is asked of it: read together, so that the state is encoded once.

    source: where it comes from, for the counts. window_tokens: the longest window; longer states are read in several, like in use.
    max_windows: what lies behind them is not trained on (states are cut for training only, never in use).
    """

    state: str
    asked: list[Asked]
    source: str
    window_tokens: int = 382
    max_windows: int = 1


def reordered(asked: Asked, chance: random.Random) -> Asked:
    """Options of a choice in another order."""
    if asked.kind != CHOICE:
        return asked
    order = list(range(len(asked.options)))
    chance.shuffle(order)
    return replace(asked, options=[asked.options[i] for i in order], answer=order.index(asked.answer))
