"""The packed folder: files and the manifest that lists their sizes and hashes."""

import json
import lzma
from io import BytesIO
from pathlib import Path

import numpy as np

from umpire_recipe.architecture import Settings, Tensors, settings_in
from umpire_recipe.folders import PACKS, TRAINING
from umpire_recipe.on_card.limits import sha256
from umpire_recipe.on_card.parts import part_name
from umpire_recipe.on_card.weights import deepened, sealed_tensors, unpacked_weights

SEALED, ON_CARD = PACKS / "umpire-2", TRAINING / "work" / "on-card"
REST = TRAINING / "work" / "on-card-rest"  # what waits to come back
MANIFEST, MIX, TUNING, WEIGHTS, TOKENIZER = "manifest.json", "mix.xz", "tuning.xz", "weights.xz", "tokenizer.json"
TEACHER, TEACHER_IDS = "teacher.xz", "teacher-ids.npy"
# Tokens are two bytes, and most other numbers four.
XZ = [{"id": lzma.FILTER_LZMA2, "preset": 9, "lc": 3, "lp": 1, "pb": 1}]


class Damaged(Exception):
    """A file is not as its manifest says."""


def compressed(arrays: dict[str, np.ndarray]) -> bytes:
    content = BytesIO()
    np.savez(content, **arrays)
    return lzma.compress(content.getvalue(), filters=XZ)


def restored(content: bytes) -> dict[str, np.ndarray]:
    return dict(np.load(BytesIO(lzma.decompress(content))))


def listed(content: bytes) -> dict[str, int | str]:
    return {"sizeBytes": len(content), "sha256": sha256(content)}


def checked(path: Path, entry: dict) -> bytes:
    """The bytes of a file, if they are those that the entry of a manifest lists."""
    return checked_bytes(path.name, path.read_bytes(), entry)


def checked_bytes(name: str, content: bytes, entry: dict) -> bytes:
    if listed(content) != {key: entry[key] for key in ("sizeBytes", "sha256")}:
        raise Damaged(f"{name} is damaged: its size or SHA-256 differs from the manifest's. Make or copy it again.")
    return content


class PackedFolder:
    """What `pack` wrote, whole or in parts, each of which has the manifest. Every file is checked when it is read."""

    def __init__(self, folder: Path):
        self.folder = folder
        whole, first = folder / MANIFEST, folder / part_name(1) / MANIFEST
        self.manifest = json.loads((whole if whole.exists() else first).read_text("utf-8"))

    def content(self, name: str) -> bytes:
        entry = self.manifest["files"][name]
        if "pieces" not in entry:
            return checked(self.folder / name, entry)
        paths = [self.folder / piece for piece in entry["pieces"]]
        for path in paths:
            if not path.exists():
                raise Damaged(f"{path.parent.name} is not there: send it first.")
        return checked_bytes(name, b"".join(path.read_bytes() for path in paths), entry)

    def start(self, sealed: Path) -> Tensors:
        """The weights to start from, as deep as the network that is trained. sealed: the pack that they were packed against."""
        near = sealed_tensors(sealed) if self.manifest["nearSealed"] else {}
        tensors = unpacked_weights(self.content(WEIGHTS), near) if WEIGHTS in self.manifest["files"] else near
        return deepened(tensors, self.manifest["layers"])

    def settings(self, tensors: Tensors) -> Settings:
        return settings_in(self.manifest["settings"], tensors["word.weight"].shape[1])

    def teacher(self) -> tuple[Tensors, Settings, np.ndarray] | None:
        """The weights of a network that teaches, their settings, and its id of each token of the network in training."""
        if TEACHER not in self.manifest["files"]:
            return None
        tensors = unpacked_weights(self.content(TEACHER), {})
        settings = settings_in(self.manifest["teacherSettings"], tensors["word.weight"].shape[1])
        return tensors, settings, np.load(BytesIO(self.content(TEACHER_IDS)))

    def tokenizer(self, sealed: Path) -> bytes:
        return self.content(TOKENIZER) if TOKENIZER in self.manifest["files"] else (sealed / TOKENIZER).read_bytes()
