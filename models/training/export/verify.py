"""Loads a written pack, measures what its self-test must give, and holds the graphs that compute in floats against the reference."""

from pathlib import Path

import numpy as np

from reference import Reference, restored_tensors
from session import PackSession, inference_session
from tokenizer import TextTokenizer

ROUNDING = 1e-4  # of a score: fp32 sums in another order
# The graphs for WebGPU, here on the processor, where what is fp16 is rounded as on a GPU.
ALLOWED = {"fp32": ROUNDING, "webgpu-fp32": ROUNDING, "webgpu-fp16": 0.03}


def integer_product_is_exact(pack: Path, manifest: dict) -> bool:
    [product] = inference_session(pack / manifest["graphs"]["probe"]).run(None, {"a": np.full((1, 64), 255, np.uint8)})
    return bool((product == 64 * 255 * 127).all())


def measure_self_test(pack: Path, manifest: dict) -> None:
    """Fills in the self-test's scores, to four decimals: finer than any tolerance."""
    tokenizer = TextTokenizer(str(pack / manifest["tokenizer"]["file"]))
    test = manifest["selfTest"]
    state, instructions, *options = (tokenizer.ids(text) for text in (test["state"], test["instructions"], *test["options"]))

    def scores(network) -> np.ndarray:
        return network.scores(network.read_state(state), instructions, options)

    int8 = "int8" if integer_product_is_exact(pack, manifest) else "int8-wide"
    measured = {"int8": scores(PackSession(pack, manifest, int8)), "fp32": scores(PackSession(pack, manifest, "fp32"))}
    reference = scores(Reference(restored_tensors(pack, manifest)))
    for precision, allowed in ALLOWED.items():
        apart = np.abs(scores(PackSession(pack, manifest, precision)) - reference).max()
        if not apart < allowed:
            raise RuntimeError(f"the graph {precision} is {apart:.2g} from the reference, more than {allowed}")
    test["scores"] = {name: [round(float(score), 4) for score in values] for name, values in measured.items()}
