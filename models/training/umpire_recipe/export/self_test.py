"""Measures the scores that a pack's self-test must give, and compares its float graphs with the reference."""

from pathlib import Path

import numpy as np

from umpire_recipe.answering.decider import Network
from umpire_recipe.answering.reference import Reference, restored_tensors
from umpire_recipe.answering.session import PackSession, inference_session
from umpire_recipe.reading.tokenizer import TextTokenizer

ROUNDING = 1e-4  # difference of a score when fp32 sums are taken in another order
# Largest allowed distance from the reference. The WebGPU graphs run on the processor here, which rounds fp16 as a GPU does.
ALLOWED = {"fp32": ROUNDING, "webgpu-fp32": ROUNDING, "webgpu-fp16": 0.03}


def integer_product_is_exact(pack: Path, manifest: dict) -> bool:
    [product] = inference_session(pack / manifest["graphs"]["probe"]).run(None, {"a": np.full((1, 64), 255, np.uint8)})
    return bool((product == 64 * 255 * 127).all())


def measure_self_test(pack: Path, manifest: dict) -> None:
    """Fills in the self-test's scores, rounded to four decimals, which is finer than any tolerance."""
    tokenizer = TextTokenizer(str(pack / manifest["tokenizer"]["file"]))
    test = manifest["selfTest"]
    state, instructions, *options = (tokenizer.ids(text) for text in (test["state"], test["instructions"], *test["options"]))

    def scores(network: Network) -> np.ndarray:
        return network.scores(network.read_state(state), instructions, options)

    int8 = "int8" if integer_product_is_exact(pack, manifest) else "int8-wide"
    measured = {"int8": scores(PackSession(pack, manifest, int8)), "fp32": scores(PackSession(pack, manifest, "fp32"))}
    reference = scores(Reference(restored_tensors(pack, manifest)))
    for precision, allowed in ALLOWED.items():
        apart = np.abs(scores(PackSession(pack, manifest, precision)) - reference).max()
        if not apart < allowed:
            raise RuntimeError(f"The {precision} graph is {apart:.2g} away from the reference; at most {allowed} is allowed.")
    test["scores"] = {name: [round(float(score), 4) for score in values] for name, values in measured.items()}
