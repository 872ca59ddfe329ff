"""Writes a trained pair model as a folder in hub layout, with an fp32 and an int8 graph."""

import json
import shutil
from pathlib import Path

from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import save_file
from torch import Tensor

from umpire_recipe.backbone.folder import CONFIG, TOKENIZER, WEIGHTS, Backbone
from umpire_recipe.backbone.names import PARTS, to_hub
from umpire_recipe.pair.bert import PairModel, export_graph
from umpire_recipe.train.network import Network

LABELS = ("entailment", "neutral", "contradiction")
TOKEN_TYPES = 2
# What other libraries would read from where the backbone came from, and what is not of this model.
LEFT_OUT = ("_name_or_path", "name_or_path", "transformers_version", "gradient_checkpointing")
CARD = """---
license: apache-2.0
language: en
pipeline_tag: zero-shot-classification
tags: [natural-language-inference, cross-encoder]
---

# A small cross-encoder for natural language inference

It reads `[CLS] premise [SEP] hypothesis [SEP]` and says whether the premise entails the hypothesis, contradicts it or neither.
It was trained for {minutes:g} minutes, to find out how such models are best asked.

In fp32 it is right on {right:.1%} of {held_out} MNLI pairs whose premises it never saw.

`onnx/model.onnx` computes in fp32, `onnx/model_quantized.onnx` with int8 weights.
"""


def hub_tensors(network: Network) -> dict[str, Tensor]:
    """Named as in BertForSequenceClassification, in fp32."""
    state = network.state_dict()
    state["typ.weight"] = state["typ.weight"][:TOKEN_TYPES]
    named = {f"bert.{name}": tensor for name, tensor in to_hub(state, len(network.layers)).items()}
    named |= {f"classifier.{part}": state[f"head.{part}"] for part in PARTS}
    return {name: tensor.float().contiguous().clone() for name, tensor in named.items()}


def write_json(path: Path, content: dict, indent: int | None = 2) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=indent) + "\n", encoding="utf-8")


def configuration(config: dict) -> dict:
    """The backbone's config.json as that of a cross-encoder."""
    kept = {name: value for name, value in config.items() if name not in LEFT_OUT}
    by_number = {str(number): label for number, label in enumerate(LABELS)}
    labels = {"id2label": by_number, "label2id": {label: number for number, label in enumerate(LABELS)}}
    return kept | {"architectures": ["BertForSequenceClassification"], "type_vocab_size": TOKEN_TYPES} | labels


def write_tokenizer(backbone: Path, folder: Path) -> None:
    """As the backbone's, except that it neither cuts nor pads."""
    settings = json.loads((backbone / TOKENIZER).read_text("utf-8")) | {"truncation": None, "padding": None}
    write_json(folder / TOKENIZER, settings, indent=None)
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        if (backbone / name).exists():
            content = json.loads((backbone / name).read_text("utf-8"))
            write_json(folder / name, {key: value for key, value in content.items() if key not in LEFT_OUT})


def write_hub_folder(folder: Path, backbone: Backbone, network: Network, right: float, held_out: int, minutes: float) -> None:
    """Writes the folder whole, or not at all. right: share of right labels of `held_out` pairs. minutes: of training."""
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    (unfinished / "onnx").mkdir(parents=True)
    config = configuration(backbone.config)
    tensors = hub_tensors(network)
    write_json(unfinished / CONFIG, config)
    write_tokenizer(backbone.folder, unfinished)
    save_file(tensors, str(unfinished / WEIGHTS), metadata={"format": "pt"})
    model = PairModel(config)
    model.load({name.removeprefix("bert."): tensor for name, tensor in tensors.items()})
    graph = unfinished / "onnx" / "model.onnx"
    export_graph(model.eval(), graph)
    quantize_dynamic(graph, graph.with_name("model_quantized.onnx"), weight_type=QuantType.QInt8, per_channel=True, reduce_range=False)
    (unfinished / "README.md").write_text(CARD.format(right=right, held_out=held_out, minutes=minutes), encoding="utf-8")
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)
