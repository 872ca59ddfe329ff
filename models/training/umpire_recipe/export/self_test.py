"""Measures what a pack's self-test must give, and compares its float graphs with the reference."""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from umpire_recipe.answering.decider import Network
from umpire_recipe.answering.features import Featurer
from umpire_recipe.answering.reference import pack_reference
from umpire_recipe.answering.session import PackSession
from umpire_recipe.reading.tokenizer import TextTokenizer

FEATURES_TESTED = 8
ROUNDING = 1e-4  # difference of a score or a feature when fp32 sums are taken in another order
# Largest allowed distance from the reference. The WebGPU graphs run on the processor here, which rounds fp16 as a GPU does.
ALLOWED = {"fp32": ROUNDING, "webgpu-fp32": ROUNDING, "webgpu-fp16": 0.03}


def measured(pack: Path, manifest: dict, of: Callable[[Network], np.ndarray]) -> dict[str, list[float]]:
    """What `of` gives by int8 and by fp32, rounded to four decimals, which is finer than any tolerance."""
    reference = of(pack_reference(pack, manifest))
    for precision, allowed in ALLOWED.items():
        apart = np.abs(of(PackSession(pack, manifest, precision)) - reference).max()
        if not apart < allowed:
            raise RuntimeError(f"The {precision} graph is {apart:.2g} away from the reference; at most {allowed} is allowed.")
    found = {precision: of(PackSession(pack, manifest, precision)) for precision in ("int8", "fp32")}
    return {name: [round(float(value), 4) for value in values] for name, values in found.items()}


def self_test_scores(pack: Path, manifest: dict) -> dict[str, list[float]]:
    tokenizer = TextTokenizer((pack / manifest["tokenizer"]["file"]).read_bytes())
    test = manifest["selfTest"]
    state, instructions, *options = (tokenizer.ids(text) for text in (test["state"], test["instructions"], *test["options"]))
    return measured(pack, manifest, lambda network: network.scores(network.read_state(state), instructions, options))


def self_test_features(pack: Path, manifest: dict) -> dict[str, list[float]]:
    """The first few features of the self-test's question: enough to see that the basis belongs to the weights."""
    test = manifest["selfTest"]

    def features(network: Network) -> np.ndarray:
        return Featurer(pack, manifest, network).features(test["state"], test["instructions"])[:FEATURES_TESTED]

    return measured(pack, manifest, features)
