"""Which groups of the mix are trained on when: NLI first, then everything, hand-written questions twice near the end."""

import numpy as np

from umpire_recipe.train.batches import Mix

NLI, SETS, WRITTEN = range(3)


def part_of(source: str) -> int:
    """The part of the mix that a group belongs to, by the source of the group (prepare.asked.Group)."""
    return {"nli": NLI, "cls": SETS}.get(source.split("/")[0], WRITTEN)


class Turns:
    """Deals groups in random order. Each comes once before any comes again."""

    def __init__(self, groups: np.ndarray, lengths: np.ndarray, chance: np.random.Generator):
        self.groups, self.lengths, self.chance = groups, lengths, chance
        self.left = groups[:0]
        self.tokens = int(lengths[groups].sum())

    def dealt(self, tokens: float) -> np.ndarray:
        """Groups with about this many tokens."""
        if not len(self.groups) or tokens <= 0:
            return self.groups[:0]
        while self.lengths[self.left].sum() < tokens:
            self.left = np.concatenate([self.left, self.chance.permutation(self.groups)])
        count = int(np.searchsorted(np.cumsum(self.lengths[self.left]), tokens)) + 1
        taken, self.left = self.left[:count], self.left[count:]
        return taken


class Plan:
    """nli_until, written_from: shares of the run, 0 to 1, up to which only NLI and from which hand-written questions twice are dealt."""

    def __init__(self, mix: Mix, nli_until: float, written_from: float, chance: np.random.Generator):
        self.turns = [Turns(np.flatnonzero(mix.group_part == part), mix.lengths, chance) for part in (NLI, SETS, WRITTEN)]
        self.nli_until, self.written_from = nli_until if self.turns[NLI].tokens else 0, written_from

    def round(self, share: float, tokens: int) -> np.ndarray:
        """Groups with about this many tokens, for a run that has come this far."""
        times = (1, 0, 0) if share < self.nli_until else (1, 1, 2 if share >= self.written_from else 1)
        weights = [turns.tokens * often for turns, often in zip(self.turns, times, strict=True)]
        return np.concatenate([turns.dealt(tokens * weight / sum(weights)) for turns, weight in zip(self.turns, weights, strict=True)])
