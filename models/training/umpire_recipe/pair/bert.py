"""A cross-encoder in the form in which hubs publish BERT: tensors by the usual names, and a graph of whole pairs.

Inputs: input_ids, attention_mask, token_type_ids [batch, length] int64. Output: logits [batch, labels] float32.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import onnxruntime
import torch
from torch import Tensor, nn

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
CLASSIFIER = ("classifier.weight", "classifier.bias")
USUAL_LABELS = (0, 1)  # of a configuration that names none
CLOSE_ENOUGH = 1e-4  # the graph and the model may differ by this, because fp32 sums are taken in another order


class Layer(nn.Module):
    """One layer. Its parts are named as in a hub's checkpoint, so that the weights load unchanged."""

    def __init__(self, config: dict):
        super().__init__()
        width, inner, epsilon = config["hidden_size"], config["intermediate_size"], config["layer_norm_eps"]
        self.heads, self.head_size = config["num_attention_heads"], width // config["num_attention_heads"]
        projections = nn.ModuleDict({name: nn.Linear(width, width) for name in ("query", "key", "value")})
        self.attention = nn.ModuleDict({"self": projections, "output": self.closing(width, width, epsilon)})
        self.intermediate = nn.ModuleDict({"dense": nn.Linear(width, inner)})
        self.output = self.closing(inner, width, epsilon)

    @staticmethod
    def closing(inner: int, width: int, epsilon: float) -> nn.ModuleDict:
        return nn.ModuleDict({"dense": nn.Linear(inner, width), "LayerNorm": nn.LayerNorm(width, epsilon)})

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """x [B,T,D], mask [B,1,1,T] (added to the scores) -> [B,T,D]"""
        batch, length, _ = x.shape

        def by_head(name: str) -> Tensor:
            return self.attention["self"][name](x).view(batch, length, self.heads, self.head_size).transpose(1, 2)

        query, key, value = by_head("query"), by_head("key"), by_head("value")
        # The scale is a constant at export, so that onnxruntime fuses it with the product.
        seen = torch.softmax(query @ key.transpose(-1, -2) * self.head_size**-0.5 + mask, -1) @ value
        seen = seen.transpose(1, 2).reshape(batch, length, self.heads * self.head_size)
        x = self.closed(self.attention["output"], seen, x)
        return self.closed(self.output, nn.functional.gelu(self.intermediate["dense"](x)), x)

    def closed(self, part: nn.ModuleDict, inner: Tensor, skip: Tensor) -> Tensor:
        return part["LayerNorm"](part["dense"](inner) + skip)


class PairModel(nn.Module):
    """config: a hub's config.json, with an entry of id2label for each logit. The head begins with random weights."""

    def __init__(self, config: dict):
        super().__init__()
        width = config["hidden_size"]
        self.embeddings = nn.ModuleDict(
            {
                "word_embeddings": nn.Embedding(config["vocab_size"], width),
                "position_embeddings": nn.Embedding(config["max_position_embeddings"], width),
                "token_type_embeddings": nn.Embedding(config["type_vocab_size"], width),
                "LayerNorm": nn.LayerNorm(width, config["layer_norm_eps"]),
            }
        )
        self.encoder = nn.ModuleDict({"layer": nn.ModuleList(Layer(config) for _ in range(config["num_hidden_layers"]))})
        self.pooler = nn.ModuleDict({"dense": nn.Linear(width, width)})
        self.classifier = nn.Linear(width, len(config.get("id2label", USUAL_LABELS)))
        nn.init.normal_(self.classifier.weight, std=config["initializer_range"])
        nn.init.zeros_(self.classifier.bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """All [B,T] int64 -> logits [B, labels]"""
        x = self.hidden(input_ids, attention_mask, token_type_ids)
        return self.classifier(torch.tanh(self.pooler["dense"](x[:, 0])))

    def hidden(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """-> last hidden states [B,T,D]"""
        places = torch.arange(input_ids.shape[1]).unsqueeze(0)
        x = self.embeddings["word_embeddings"](input_ids) + self.embeddings["token_type_embeddings"](token_type_ids)
        x = self.embeddings["LayerNorm"](x + self.embeddings["position_embeddings"](places))
        mask = (1.0 - attention_mask[:, None, None, :].to(x.dtype)) * -1e4
        for layer in self.encoder["layer"]:
            x = layer(x, mask)
        return x

    def load(self, tensors: Mapping[str, Tensor]) -> None:
        """Loads a checkpoint of the encoder, with or without a head of this many labels. @raises ValueError naming what does not fit."""
        left = self.load_state_dict({name: tensor for name, tensor in tensors.items() if not name.endswith("position_ids")}, strict=False)
        if left.unexpected_keys or not set(left.missing_keys) <= set(CLASSIFIER):
            raise ValueError(f"The checkpoint does not fit: missing {left.missing_keys}, not known {left.unexpected_keys}")


def random_pairs(model: PairModel, batch: int, length: int) -> tuple[Tensor, ...]:
    """Inputs for an export and its check, as long as the model has positions at most."""
    words, positions = (model.embeddings[f"{name}_embeddings"].num_embeddings for name in ("word", "position"))
    length = min(length, positions)
    ids = torch.randint(1, words, (batch, length))
    types = (torch.arange(length) >= length // 2).long().expand(batch, length)
    return ids, torch.ones_like(ids), types.contiguous()


def export_graph(model: PairModel, path: Path, output: str = "logits", output_axes: tuple[str, ...] = ("batch",)) -> None:
    """Writes the graph, every size dynamic. output_axes: names of the output's dynamic axes, from the first."""
    dynamic = {name: {0: "batch", 1: "length"} for name in INPUTS} | {output: dict(enumerate(output_axes))}
    names = {"input_names": list(INPUTS), "output_names": [output], "dynamic_axes": dynamic}
    with torch.no_grad():
        torch.onnx.export(model, random_pairs(model, 2, 40), str(path), opset_version=17, dynamo=False, **names)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for pairs in random_pairs(model, 1, 7), random_pairs(model, 1, 160), random_pairs(model, 3, 512):
        with torch.no_grad():
            expected = model(*pairs).numpy()
        [found] = session.run(None, {name: tensor.numpy() for name, tensor in zip(INPUTS, pairs, strict=True)})
        if not np.abs(found - expected).max() < CLOSE_ENOUGH:
            raise RuntimeError("The exported graph does not compute what the model computes.")
