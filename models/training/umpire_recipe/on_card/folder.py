"""The packed folder: files and the manifest that lists their sizes and hashes."""

import json
import lzma
from io import BytesIO
from pathlib import Path

import numpy as np

from umpire_recipe.architecture import Tensors
from umpire_recipe.folders import PACKS, TRAINING
from umpire_recipe.on_card.limits import sha256
from umpire_recipe.on_card.weights import deepened, sealed_tensors, unpacked_weights

SEALED, ON_CARD = PACKS / "umpire-2", TRAINING / "work" / "on-card"
MANIFEST, MIX, TUNING, WEIGHTS = "manifest.json", "mix.xz", "tuning.xz", "weights.xz"
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
    content = path.read_bytes()
    if listed(content) != {name: entry[name] for name in ("sizeBytes", "sha256")}:
        raise Damaged(f"{path.name} is damaged: its size or SHA-256 differs from the manifest's. Make or copy it again.")
    return content


class PackedFolder:
    """What `pack` wrote. Every file is checked when it is read."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.manifest = json.loads((folder / MANIFEST).read_text("utf-8"))

    def content(self, name: str) -> bytes:
        return checked(self.folder / name, self.manifest["files"][name])

    def start(self, sealed: Path) -> Tensors:
        """The weights to start from, as deep as the network that is trained. sealed: the pack that they were packed against."""
        near = sealed_tensors(sealed)
        tensors = unpacked_weights(self.content(WEIGHTS), near) if WEIGHTS in self.manifest["files"] else near
        return deepened(tensors, self.manifest["layers"])
