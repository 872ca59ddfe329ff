"""The network in training form: each group is one packed sequence under a mask, so that a state is encoded once for all its questions.

Tensors have the names of checkpoints (export/weights.py).
"""

from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn.functional import dropout, gelu, linear, scaled_dot_product_attention

from umpire_recipe.architecture import Settings, buckets_of_distances
from umpire_recipe.backbone.folder import Backbone
from umpire_recipe.backbone.start import starting_tensors
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.train.rounding import gelu_rows, rows, weight
from umpire_recipe.train.sheet import STATE


class Layer(nn.Module):
    def __init__(self, width: int, inner: int, settings: Settings):
        super().__init__()
        self.heads = settings.heads
        self.qkv, self.o = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.f1, self.f2 = nn.Linear(width, inner), nn.Linear(inner, width)
        self.n1, self.n2 = (nn.LayerNorm(width, eps=settings.epsilon) for _ in range(2))


class Network(nn.Module):
    """quantised: round weights and activations as in int8 (quantisation-aware training). dropout: share of a layer's output left out.

    buckets: of distances, where positions are relative as well.
    """

    def __init__(self, layers: int, width: int, inner: int, words: int, positions: int, settings: Settings, buckets: int = 0):
        super().__init__()
        self.settings = settings
        self.word, self.pos, self.typ = nn.Embedding(words, width), nn.Embedding(positions, width), nn.Embedding(3, width)
        self.n = nn.LayerNorm(width, eps=settings.epsilon)
        self.layers = nn.ModuleList(Layer(width, inner, settings) for _ in range(layers))
        self.pool, self.head = nn.Linear(width, width), nn.Linear(width, 3)
        if settings.is_relative:
            self.rel = nn.Embedding(buckets, settings.heads)
            # It stays as it was: there are few numbers, each a part of every attention score, whose gradients cost as much as a layer.
            self.rel.weight.requires_grad_(False)
            self.register_buffer("bucket", torch.from_numpy(buckets_of_distances(buckets, settings.furthest)), persistent=False)
        self.quantised = False
        self.dropout = 0.0

    def product(self, x: Tensor, matrix: nn.Linear, outputs: slice = slice(None), after_gelu: bool = False) -> Tensor:
        """x @ matrix for some of its outputs. If `quantised`, both are rounded as in the int8 graph."""
        values, bias = matrix.weight[outputs], matrix.bias[outputs]
        if self.quantised and (matrix is not self.pool or self.settings.rounds_pooler):
            values, x = weight(values), gelu_rows(x) if after_gelu else rows(x)
        return linear(x, values, bias)

    def attended(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor) -> Tensor:
        """[B,H,R,h], [B,H,T,h] twice, additive mask [B,1,R,T] or [B,H,R,T] -> [B,R,H*h]."""
        if query.is_cuda:
            mixed = scaled_dot_product_attention(query, key, value, attn_mask=mask)
        else:  # On processors the fused form with a mask is several times slower in the backward pass.
            scores = (query * query.shape[-1] ** -0.5) @ key.transpose(-1, -2) + mask
            mixed = torch.softmax(scores, -1) @ value
        return mixed.transpose(1, 2).flatten(2)

    def forward(self, ids: Tensor, positions: Tensor, types: Tensor, mask: Tensor, starts: tuple[Tensor, Tensor]) -> Tensor:
        """Logits [K,3] fp32 (entailment, neutral, contradiction) of all options.

        ids, positions, types [B,T] int64. mask [B,T,T] bool: true where a row sees a column. starts: (rows, columns) of the options' first
        tokens, row by row.
        """
        words = weight(self.word.weight) if self.quantised else self.word.weight
        x = self.thinned(self.n(nn.functional.embedding(ids, words) + self.pos(positions) + self.typ(types)))
        additive = self.additive(positions, types, mask)
        for layer in self.layers[:-1]:
            query, key, value = (part.unflatten(-1, (layer.heads, -1)).transpose(1, 2) for part in self.product(x, layer.qkv).chunk(3, -1))
            x = self.finished(layer, x, self.attended(query, key, value, additive))
        return self.read(x, additive, starts)

    def additive(self, positions: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """What is added to attention scores: the mask [B,1,T,T], with the bias of distances where there is one [B,H,T,T]."""
        if not self.settings.is_relative:
            return torch.zeros(mask.shape, dtype=torch.bfloat16, device=mask.device).masked_fill_(~mask, -1e4)[:, None]
        furthest = self.settings.furthest
        distances = (positions[:, None, :] - positions[:, :, None]).clamp_(-furthest, furthest)
        to_state = (types[:, :, None] != STATE) & (types[:, None, :] == STATE)
        bucket = self.bucket[distances.masked_fill_(to_state, -furthest) + furthest]
        number = torch.bfloat16 if torch.is_autocast_enabled(mask.device.type) else torch.float32
        bias = self.rel.weight.to(number).T[:, bucket].transpose(0, 1)
        return bias.masked_fill(~mask[:, None], -1e4).contiguous()

    def finished(self, layer: Layer, x: Tensor, mixed: Tensor) -> Tensor:
        x = layer.n1(x + self.thinned(self.product(mixed, layer.o)))
        return layer.n2(x + self.thinned(self.product(gelu(self.product(x, layer.f1)), layer.f2, after_gelu=True)))

    def thinned(self, x: Tensor) -> Tensor:
        return dropout(x, self.dropout, self.training) if self.dropout else x

    def read(self, x: Tensor, additive: Tensor, starts: tuple[Tensor, Tensor]) -> Tensor:
        """The last layer, computed only for the options' first tokens, because nothing else of it is read."""
        layer, width = self.layers[-1], x.shape[-1]
        row, column = starts
        key, value = (
            part.unflatten(-1, (layer.heads, -1)).transpose(1, 2) for part in self.product(x, layer.qkv, slice(width, None)).chunk(2, -1)
        )
        # Options of a row side by side, rows padded to the longest: [B,R].
        place = torch.arange(len(row), device=row.device) - torch.searchsorted(row, row)
        asked = torch.zeros(len(x), int(place.max()) + 1, dtype=torch.long, device=row.device)
        asked[row, place] = column
        first = x.gather(1, asked[..., None].expand(-1, -1, width))
        query = self.product(first, layer.qkv, slice(width)).unflatten(-1, (layer.heads, -1)).transpose(1, 2)
        seen = additive.gather(2, asked[:, None, :, None].expand(-1, additive.shape[1], -1, x.shape[1]))
        mixed = self.attended(query, key, value, seen)
        chosen = self.finished(layer, first[row, place], mixed[row, place])
        pooled = self.thinned(torch.tanh(self.product(chosen, self.pool)))
        with torch.autocast(x.device.type, enabled=False):
            return linear(pooled.float(), self.head.weight.float(), self.head.bias.float())


def untrained(backbone: Backbone) -> Network:
    """The initial weights: the backbone's, with three token types and a new head."""
    return network_of(starting_tensors(backbone), backbone.settings)


def loaded(path: Path) -> Network:
    """The network of a checkpoint (safetensors) of any shape."""
    return network_of({name: tensor.float() for name, tensor in load_file(str(path)).items()}, read_settings(path))


def network_of(tensors: Mapping[str, Tensor], settings: Settings) -> Network:
    """tensors: by the names of checkpoints, in fp32."""
    layers = 1 + max(int(name.split(".")[1]) for name in tensors if name.startswith("layers."))
    words, width = tensors["word.weight"].shape
    buckets = len(tensors["rel.weight"]) if settings.is_relative else 0
    network = Network(layers, width, len(tensors["layers.0.f1.weight"]), words, len(tensors["pos.weight"]), settings, buckets)
    network.load_state_dict(tensors)
    return network
