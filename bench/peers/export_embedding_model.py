"""Exports all-MiniLM-L6-v2, a sentence-embedding model, in the folder layout that transformers.js loads.

    python export_embedding_model.py [folder]        default: .embedding-model beside this file

Writes config.json, tokenizer.json, tokenizer_config.json and onnx/model.onnx (fp32, every size dynamic).
Inputs: input_ids, attention_mask, token_type_ids [batch, length] int64. Output: last_hidden_state [batch, length, 384] float32, whose mean over
tokens, scaled to length 1, is a text's embedding. Texts are cut at 512 tokens, as transformers.js does by default.
"""

import json
import shutil
import sys
from pathlib import Path

from export_pair_model import SOURCE, PairModel, export_graph, tokenizer
from safetensors.torch import load_file
from torch import Tensor

OUTPUT = "last_hidden_state"


class EmbeddingModel(PairModel):
    """The backbone without a head."""

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """All [B,T] int64 -> last hidden states [B,T,D]"""
        return self.hidden(input_ids, attention_mask, token_type_ids)


def embedding_model(config: dict) -> EmbeddingModel:
    model = EmbeddingModel(config)
    model.load(load_file(SOURCE / "model.safetensors"))
    return model.eval()


def export(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "onnx").mkdir(parents=True)
    config = json.loads((SOURCE / "config.json").read_text())
    for gone in ("_name_or_path", "transformers_version"):
        config.pop(gone, None)
    settings = json.loads((SOURCE / "tokenizer_config.json").read_text())
    settings.pop("name_or_path", None)
    for name, content in ("config", config), ("tokenizer", tokenizer()), ("tokenizer_config", settings):
        (folder / f"{name}.json").write_text(json.dumps(content, ensure_ascii=False) + "\n")
    # Written last: `prepare` asks for it.
    export_graph(embedding_model(config), folder / "onnx" / "model.onnx", OUTPUT, ("batch", "length"))


if __name__ == "__main__":
    export(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent / ".embedding-model")
