"""The shapes of an encoder's tensors."""

from umpire_recipe.backbone.config import Shape


def expected_shapes(shape: Shape) -> dict[str, tuple[int, ...]]:
    """By the names of a hub's BERT, with the word embedding first."""
    width, found = shape.width, {}

    def linear(name: str, outputs: int, inputs: int) -> None:
        found[f"{name}.weight"], found[f"{name}.bias"] = (outputs, inputs), (outputs,)

    def norm(name: str) -> None:
        found[f"{name}.weight"] = found[f"{name}.bias"] = (width,)

    for name, rows in (("word", shape.words), ("position", shape.positions), ("token_type", shape.types)):
        found[f"embeddings.{name}_embeddings.weight"] = (rows, width)
    norm("embeddings.LayerNorm")
    linear("pooler.dense", width, width)
    for i in range(shape.layers):
        at = f"encoder.layer.{i}"
        for name in ("query", "key", "value"):
            linear(f"{at}.attention.self.{name}", width, width)
        linear(f"{at}.attention.output.dense", width, width)
        norm(f"{at}.attention.output.LayerNorm")
        linear(f"{at}.intermediate.dense", shape.inner, width)
        linear(f"{at}.output.dense", width, shape.inner)
        norm(f"{at}.output.LayerNorm")
    return found
