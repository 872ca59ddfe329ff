"""A pack of a small random checkpoint, not sealed."""

from pathlib import Path

from umpire_recipe.architecture import Tensors
from umpire_recipe.backbone.folder import own_backbone
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.export.manifest import NO_CALIBRATION, manifest_of
from umpire_recipe.export.pack import write_files
from umpire_recipe.export.weights import named_tensors, quantised_weights
from umpire_recipe.reading.tokenizer import TextTokenizer

FACTS = {"description": "", "releaseDate": "2026-01-01", "licence": ""}


def write_pack(pack: Path, checkpoint: Path, largest: Tensors | None = None) -> dict:
    """Returns the manifest. largest: inputs of the products that are to be smoothed."""
    weights = quantised_weights(named_tensors(str(checkpoint)), read_settings(checkpoint), largest)
    tokenizer_json = own_backbone().tokenizer_json
    write_files(pack, weights, tokenizer_json, "# random\n")
    return manifest_of("random", FACTS, weights, TextTokenizer(tokenizer_json), NO_CALIBRATION)
