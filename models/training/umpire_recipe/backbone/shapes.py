"""The shapes of an encoder's tensors."""

from umpire_recipe.backbone.config import Shape
from umpire_recipe.backbone.names import PARTS, POOLER


def expected_shapes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """By the names of a hub's encoder of this kind, with the word embedding first."""
    width, names, found = shape.width, shape.names, {}

    def linear(name: str, outputs: int, inputs: int) -> None:
        found[f"{name}.weight"], found[f"{name}.bias"] = (outputs, inputs), (outputs,)

    def norm(name: str) -> None:
        found.update({f"{name}.{part}": (width,) for part in PARTS})

    tables = {
        "word": (shape.words, width),
        "pos": (shape.positions, width),
        "typ": (shape.types, width),
        "rel": (shape.buckets, shape.heads),
    }
    for table, name in names.embeddings.items():
        found[f"{name}.weight"] = tables[table]
    norm(names.whole["n"])
    if "pool" in names.whole:
        linear(POOLER, width, width)
    for i in range(shape.layers):
        at = f"encoder.layer.{i}"
        for name in names.projections:
            linear(f"{at}.{name}", width, width)
        within = {name: f"{at}.{place}" for name, place in names.of_a_layer.items()}
        linear(within["o"], width, width)
        norm(within["n1"])
        linear(within["f1"], shape.inner, width)
        linear(within["f2"], width, shape.inner)
        norm(within["n2"])
    return found
