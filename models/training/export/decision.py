"""A request's way from JSON to answers, over any network that scores token ids."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from probabilities import probabilities
from text import Json, reading_of, text_of
from tokenizer import TextTokenizer


class Network(Protocol):
    def read_state(self, ids: list[int]) -> Any:
        """What `scores` needs of a state, given its text tokens."""

    def scores(self, state: Any, instructions: list[int], options: list[list[int]]) -> np.ndarray:
        """Text tokens of the instructions (none: no question segment) and of each option -> [K] float32."""


@dataclass(frozen=True)
class Answer:
    probabilities: np.ndarray
    scores: np.ndarray


def read_manifest(pack: Path) -> dict:
    return json.loads((pack / "manifest.json").read_text("utf-8"))


class Decider:
    def __init__(self, pack: Path, manifest: dict, network: Network):
        self.manifest, self.network = manifest, network
        self.tokenizer = TextTokenizer(str(pack / manifest["tokenizer"]["file"]))

    def tokens(self, text: str, limit: str) -> list[int]:
        ids, most = self.tokenizer.ids(text), self.manifest["limits"][limit]
        if len(ids) > most:
            raise ValueError(f"{len(ids)} tokens, more than the {most} of {limit}")
        return ids

    def decide(self, state: Json, questions: dict[str, dict]) -> dict[str, Answer]:
        """Raises ValueError where the model's limits are passed. The request is taken to be valid otherwise."""
        memory = self.network.read_state(self.tokens(text_of(state), "stateTokens"))
        return {name: self.answer(memory, question) for name, question in questions.items()}

    def answer(self, memory: Any, question: dict) -> Answer:
        reading = reading_of(question)
        instructions = self.tokens(reading.instructions, "instructionsTokens")
        scores = self.network.scores(memory, instructions, [self.tokens(option, "optionTokens") for option in reading.options])
        return Answer(probabilities(question["type"], scores, self.manifest["calibration"]), scores)
