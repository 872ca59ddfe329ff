"""From a JSON request to answers, with any network that scores token ids."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from umpire_recipe.answering.probabilities import probabilities
from umpire_recipe.reading.request_text import Json, reading_of, text_of
from umpire_recipe.reading.tokenizer import TextTokenizer


class Network(Protocol):
    """Anything that scores a question's options about a state."""

    def read_state(self, ids: list[int]) -> Any:
        """Encodes a state, given its text tokens. The result is passed to `scores`."""

    def scores(self, state: Any, instructions: list[int], options: list[list[int]]) -> np.ndarray:
        """Text tokens of the instructions ([]: no question segment) and of each option -> one score an option, [K] float32."""


@dataclass(frozen=True)
class Answer:
    """probabilities: calibrated, [K] in the order of the criteria; for a noul [P(yes)]. scores: log-odds of entailment, [K]."""

    probabilities: np.ndarray
    scores: np.ndarray


def read_manifest(pack: Path) -> dict:
    return json.loads((pack / "manifest.json").read_text("utf-8"))


class Decider:
    def __init__(self, pack: Path, manifest: dict, network: Network):
        self.manifest, self.network = manifest, network
        self.tokenizer = TextTokenizer((pack / manifest["tokenizer"]["file"]).read_bytes())

    def tokens(self, text: str, limit: str) -> list[int]:
        ids, most = self.tokenizer.ids(text), self.manifest["limits"][limit]
        if len(ids) > most:
            raise ValueError(f"{len(ids)} tokens, more than {limit} allows ({most})")
        return ids

    def decide(self, state: Json, questions: dict[str, dict]) -> dict[str, Answer]:
        """Answers a request that is assumed to be valid. Raises ValueError when a text is longer than the model's limits."""
        encoded = self.network.read_state(self.tokens(text_of(state), "stateTokens"))
        return {name: self.answer(encoded, question) for name, question in questions.items()}

    def answer(self, encoded: Any, question: dict) -> Answer:
        reading = reading_of(question)
        instructions = self.tokens(reading.instructions, "instructionsTokens")
        scores = self.network.scores(encoded, instructions, [self.tokens(option, "optionTokens") for option in reading.options])
        return Answer(probabilities(question["type"], scores, self.manifest["calibration"]), scores)
