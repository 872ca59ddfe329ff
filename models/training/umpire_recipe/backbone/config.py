"""config.json of an encoder: its shape, and whether the engine can compute it."""

from dataclasses import dataclass

from umpire_recipe.architecture import Settings
from umpire_recipe.backbone.names import BERT, MPNET, HubNames
from umpire_recipe.backbone.refused import BackboneRefused
from umpire_recipe.reading.windows import WINDOW_TOKENS

READ = {"bert": BERT, "mpnet": MPNET}
OTHERS = {
    "albert": "its embedding is narrower than its layers",
    "camembert": "its positions begin behind the padding",
    "deberta": "its positions are relative",
    "deberta-v2": "its positions are relative",
    "distilbert": "it has no token types, which tell a state from a question",
    "electra": "its embedding may be narrower than its layers",
    "mobilebert": "its layers have bottlenecks",
    "modernbert": "its positions are rotations",
    "nomic_bert": "its positions are rotations",
    "roberta": "its positions begin behind the padding",
    "xlm-roberta": "its positions begin behind the padding",
}
FIRST_POSITION = 2  # MPNet's positions begin behind its padding, which is token 1
FURTHEST = 128  # a constant of MPNet, not of its config.json


@dataclass(frozen=True)
class Shape:
    """layers, heads: how many. width: of a token's vector. inner: width between a layer's two products. words, positions, types: rows.

    buckets: of distances; 0 without relative positions. first_position: the row of the first one. names: of the tensors.
    """

    layers: int
    heads: int
    width: int
    inner: int
    words: int
    positions: int
    types: int
    buckets: int
    first_position: int
    names: HubNames


def count(config: dict, name: str) -> int:
    value = config.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BackboneRefused(f"{name} in config.json is not a whole number from 1.")
    return value


def checked(config: dict) -> tuple[Shape, Settings]:
    """@raises BackboneRefused naming the first thing that the engine's graphs cannot compute."""
    if (kind := config.get("model_type")) not in READ:
        why = f", because {OTHERS[kind]}" if kind in OTHERS else ""
        raise BackboneRefused(f"model_type in config.json is {kind!r}{why}: only {' and '.join(map(repr, READ))} are read.")
    is_relative = READ[kind] is MPNET
    if (positions := config.get("position_embedding_type", "absolute")) != "absolute":
        raise BackboneRefused(f"Its positions are {positions!r}: only absolute ones are read.")
    if (activation := config.get("hidden_act", "gelu")) != "gelu":
        raise BackboneRefused(f"Its activation is {activation!r}: only 'gelu' is read.")
    if config.get("is_decoder") or config.get("add_cross_attention"):
        raise BackboneRefused("It is a decoder: only encoders are read.")
    sizes = (
        "num_hidden_layers",
        "num_attention_heads",
        "hidden_size",
        "intermediate_size",
        "vocab_size",
        "max_position_embeddings",
    )
    types = 0 if is_relative else count(config, "type_vocab_size")
    buckets = count(config, "relative_attention_num_buckets") if is_relative else 0
    shape = Shape(*(count(config, name) for name in sizes), types, buckets, FIRST_POSITION if is_relative else 0, READ[kind])
    heads, epsilon = shape.heads, config.get("layer_norm_eps", 1e-12)
    if shape.width % heads:
        raise BackboneRefused(f"Its width, {shape.width}, is not a multiple of its {heads} heads.")
    if (positions := shape.positions - shape.first_position) < WINDOW_TOKENS:
        raise BackboneRefused(f"It has {positions} positions: a window of a state takes {WINDOW_TOKENS}.")
    if is_relative and (buckets % 4 or buckets // 4 >= FURTHEST):
        raise BackboneRefused(f"It has {buckets} buckets of distances: a multiple of 4 below {4 * FURTHEST} is read.")
    if not isinstance(epsilon, float) or not 0 < epsilon < 1:
        raise BackboneRefused("layer_norm_eps in config.json is not a number between 0 and 1.")
    return shape, Settings(heads, epsilon, FURTHEST if is_relative else None)
