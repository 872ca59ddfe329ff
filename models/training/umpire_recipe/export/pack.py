"""Writes a pack's files: weights, graphs, tokenizer and model card, then the manifest that seals them."""

import hashlib
import json
import re
from pathlib import Path

from umpire_recipe.export.graph import SegmentGraph
from umpire_recipe.export.graph_nodes import PRECISIONS
from umpire_recipe.export.probe import probe_graph
from umpire_recipe.export.weights import Weights
from umpire_recipe.export.weights_file import attach_stored, laid_out, stored_tensors
from umpire_recipe.features.basis import FEATURES, components_in, read_basis

GRAPHS = {name: f"{name}.onnx" for name in (*PRECISIONS, "probe")}
WEIGHTS, TOKENIZER, CARD = "weights.bin", "tokenizer.json", "MODEL_CARD.md"
MANIFEST = "manifest.json"


def write_files(folder: Path, weights: Weights, tokenizer_json: bytes, card: str) -> None:
    """Writes every file except the basis of features and the manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / WEIGHTS).write_bytes(laid_out(stored_tensors(weights))[0])
    write_graphs(folder, weights)
    (folder / TOKENIZER).write_bytes(tokenizer_json)
    (folder / CARD).write_text(card, encoding="utf-8")


def write_graphs(folder: Path, weights: Weights) -> None:
    """Writes the graphs, which read their tensors from the weights file."""
    places = laid_out(stored_tensors(weights))[1]
    for precision in PRECISIONS:
        builder = SegmentGraph(weights, precision)
        graph = builder.build()
        attach_stored(graph, builder.stored, places, WEIGHTS)
        (folder / GRAPHS[precision]).write_bytes(graph.SerializeToString(deterministic=True))
    (folder / GRAPHS["probe"]).write_bytes(probe_graph().SerializeToString(deterministic=True))


def add_basis(folder: Path, manifest: dict, content: bytes) -> None:
    """Writes the basis of features (features/basis.py), and says so in a manifest that names their layers."""
    network, features = manifest["network"], manifest["features"]
    size = len(features["layers"]) * network["heads"] * network["headSize"]
    components = components_in(content, size)
    read_basis(content, components, size)  # a basis of another network has another size
    (folder / FEATURES).write_bytes(content)
    features["basis"] = {"file": FEATURES, "components": components}


def json_text(value: dict) -> str:
    """As text for people, with one held-out count a line. There are hundreds, and a manifest has at most 64 KiB."""
    text = json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    return re.sub(r'\{\s+("probability"[^{}]+?)\s+\}', lambda point: "{ " + re.sub(r"\s+", " ", point[1]) + " }", text)


def sealed(folder: Path, manifest: dict) -> None:
    """Writes the manifest with the size and SHA-256 of every file, and a second file with the manifest's own SHA-256."""
    names = sorted([WEIGHTS, TOKENIZER, CARD, *GRAPHS.values(), *([FEATURES] if "basis" in manifest.get("features", {}) else [])])
    manifest["files"] = {}
    for name in names:
        content = (folder / name).read_bytes()
        manifest["files"][name] = {"sizeBytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    text = json_text(manifest)
    (folder / MANIFEST).write_text(text, encoding="utf-8")
    digest = hashlib.sha256(text.encode()).hexdigest()
    (folder / f"{MANIFEST}.sha256").write_text(f"{digest}  {MANIFEST}\n", encoding="utf-8")
