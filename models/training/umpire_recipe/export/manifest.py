"""The manifest: what a pack says about itself."""

from importlib.metadata import version

from umpire_recipe.answering.features import layers_of_features
from umpire_recipe.export.pack import GRAPHS, TOKENIZER, WEIGHTS
from umpire_recipe.export.weights import DISTANCES, Weights
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.reading.windows import OVERLAP_TOKENS, SPECIAL_TOKENS, WINDOW_TOKENS

TEXT_TOKENS = 254  # of instructions, and of an option, at most
NO_CALIBRATION = {"choice": [{"maxOptions": 255, "temperature": 1}], "noul": {"temperature": 1, "bias": 0}, "score": {"temperature": 1}}
# Another runtime sums in another order, and now and then int8 rounds to the next step: between a processor and WebAssembly by .02 with six
# layers of 384, by .12 with twelve of 768.
TOLERANCE = {"int8": 0.05, "fp16": 0.05, "fp32": 0.001}
OF_DEEP = {"int8": 0.3, "fp16": 0.3, "fp32": 0.001}
DEEP_LAYERS = 7  # at least
SELF_TEST = {
    "state": "Your parcel was handed to the neighbour at number 14 on Monday because nobody answered the door. "
    "If you have not received it by Thursday, reply to this message and we will open an inquiry.",
    "instructions": "Where is the parcel now?",
    "options": ["with a neighbour", "at the depot", "lost", "still on the van: the driver has not delivered it yet"],
}


def tolerance_of(layers: int) -> dict[str, float]:
    """How far the self-test's scores may be from the manifest's, by precision."""
    return OF_DEEP if layers >= DEEP_LAYERS else TOLERANCE


def in_manifest(calibration: dict) -> dict:
    """Without the counts of answers that thresholds were fitted on."""
    return {name: value for name, value in calibration.items() if name != "risk"}


def manifest_of(pack_id: str, facts: dict, weights: Weights, tokenizer: TextTokenizer, calibration: dict) -> dict:
    """The manifest, its keys in the order of the file, without a basis of features, what the self-test gives, and files.

    facts: description, releaseDate and licence; languages, if not English alone.
    """
    # An option's positions follow its question's, and each has two special tokens.
    text_tokens = min(TEXT_TOKENS, weights.positions // 2 - SPECIAL_TOKENS)
    settings = weights.settings
    relative = (
        {"relativePositions": {"buckets": len(weights.floats[DISTANCES]), "furthest": settings.furthest}} if settings.is_relative else {}
    )
    return {
        "format": 1,
        "id": pack_id,
        "family": "shared-premise",
        "description": facts["description"],
        "releaseDate": facts["releaseDate"],
        "licence": facts["licence"],
        "languages": facts.get("languages", ["en"]),
        "labels": ["entailment", "neutral", "contradiction"],
        "network": {"layers": weights.layers, "heads": weights.heads, "headSize": weights.head_size, "positions": weights.positions},
        **relative,
        "limits": {
            "stateTokens": 16384,
            "windowTokens": WINDOW_TOKENS,
            "overlapTokens": OVERLAP_TOKENS,
            "instructionsTokens": text_tokens,
            "optionTokens": text_tokens,
        },
        "tokenizer": {"file": TOKENIZER, "clsId": tokenizer.cls_id, "sepId": tokenizer.sep_id},
        "weights": WEIGHTS,
        "graphs": GRAPHS,
        "features": {"layers": layers_of_features(weights.layers)},
        "calibration": in_manifest(calibration),
        "selfTest": SELF_TEST | {"scores": {}, "features": {}, "tolerance": tolerance_of(weights.layers)},
        "madeWith": {name: version(name) for name in ("onnx", "onnxruntime", "torch", "numpy", "tokenizers")},
    }
