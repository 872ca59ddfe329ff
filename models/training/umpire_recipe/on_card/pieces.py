"""A checkpoint in fp16, cut into pieces that may come back, and joined again."""

import json
import shutil
import tempfile
from pathlib import Path

import torch
from safetensors.torch import load, save
from torch import Tensor

from umpire_recipe.on_card import limits
from umpire_recipe.on_card.folder import Damaged, checked, listed

RETURNED = "checkpoint.json"
WORDS = "word.weight"
OTHER_FILES = 3  # the list of pieces, figures.json and log.jsonl


def check_returns(size: int) -> None:
    """Raises limits.TooLarge if a checkpoint of this many bytes may not come back."""
    limits.at_most("What comes back", size, limits.RETURNED_BYTES, "Train fewer layers, or keep the word embedding as it is.")
    pieces = -(-size // limits.PIECE_BYTES)
    if pieces + OTHER_FILES > limits.RETURNED_FILES:
        raise limits.TooLarge(f"What comes back: {pieces + OTHER_FILES} files, more than {limits.RETURNED_FILES}. Train fewer layers.")


def returned_bytes(tensors: dict[str, Tensor], keeps_words: bool) -> int:
    return 2 * sum(tensor.numel() for name, tensor in tensors.items() if not (keeps_words and name == WORDS))


def write_pieces(out: Path, tensors: dict[str, Tensor], keeps_words: bool) -> None:
    """Writes the pieces and their list. They replace earlier ones only when all are written.

    keeps_words: leave out the word embedding. The list then holds its hash in fp16.
    """
    halves = {name: tensor.half().contiguous().cpu() for name, tensor in tensors.items()}
    words = halves.pop(WORDS) if keeps_words else None
    content = save(halves)
    check_returns(len(content))
    cuts = [content[at : at + limits.PIECE_BYTES] for at in range(0, len(content), limits.PIECE_BYTES)]
    pieces = {f"checkpoint-{number}": cut for number, cut in enumerate(cuts)}
    list_of = {"pieces": {name: listed(cut) for name, cut in pieces.items()}}
    list_of["words"] = None if words is None else words_hash(words)
    # Written elsewhere first, because a run that is killed while it saves must leave no file too many.
    with tempfile.TemporaryDirectory() as folder:
        for name, cut in pieces.items():
            (Path(folder) / name).write_bytes(cut)
        (Path(folder) / RETURNED).write_text(json.dumps(list_of, indent=1) + "\n", encoding="utf-8")
        for name in (*pieces, RETURNED):
            shutil.move(Path(folder) / name, out / name)


def words_hash(words: Tensor) -> str:
    return limits.sha256(words.numpy().tobytes())


def joined(folder: Path, start_words: Tensor | None) -> dict[str, Tensor]:
    """The checkpoint in fp16. start_words: the word embedding that the run started from, needed if it stayed as it was."""
    list_of = json.loads((folder / RETURNED).read_text("utf-8"))
    content = b"".join(checked(folder / name, entry) for name, entry in list_of["pieces"].items())
    tensors = load(content)
    if list_of["words"]:
        if start_words is None or words_hash(start_words.to(torch.float16)) != list_of["words"]:
            raise Damaged(
                "The word embedding differs from the one that the run started from. Unpack with the folder that was packed for it."
            )
        tensors[WORDS] = start_words.to(torch.float16)
    return tensors
