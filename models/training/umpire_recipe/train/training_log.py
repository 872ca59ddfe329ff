"""The log of a training run: a JSON line every 50 steps with means over those steps, ready to be plotted."""

import json
import time
from pathlib import Path

from torch import Tensor

EVERY_STEPS = 50


class TrainingLog:
    def __init__(self, path: Path, tokens: int):
        """tokens: how many the run has seen so far."""
        self.stream = path.open("a", encoding="utf-8")
        self.started, self.tokens_before = time.monotonic(), tokens
        self.sums: dict[str, float] = {}

    def __enter__(self) -> "TrainingLog":
        return self

    def __exit__(self, *_: object) -> None:
        self.stream.close()

    def add(self, said: dict[str, Tensor | float]) -> None:
        """Adds the sums of one step (loss.losses) and its learning rate. The line states the last rate."""
        for name, value in said.items():
            self.sums[name] = value if name == "rate" else self.sums.get(name, 0) + float(value)

    def is_due(self, step: int) -> bool:
        return step % EVERY_STEPS == 0

    def mean(self, name: str, count: str) -> float:
        return round(self.sums.get(name, 0) / max(1, self.sums.get(count, 0)), 4)

    def tokens_a_second(self, tokens: int) -> int:
        return round((tokens - self.tokens_before) / (time.monotonic() - self.started))

    def write(self, step: int, tokens: int, quantised: bool) -> None:
        line = {
            "step": step,
            "tokens": tokens,
            "question_loss": self.mean("question_loss", "questions"),
            "right": self.mean("right", "questions"),
            "nli_loss": self.mean("nli_loss", "nli"),
            "rate": self.sums["rate"],
            "tokens_a_second": self.tokens_a_second(tokens),
            "quantised": quantised,
        }
        if "taught" in self.sums:
            line["agreed"] = self.mean("agreed", "taught")
        print(json.dumps(line), file=self.stream, flush=True)
        self.sums = {}
