"""A pack's tokenizer: the backbone's vocabulary, set up so that text never becomes a special token."""

import json

from umpire_recipe.backbone.refused import BackboneRefused
from umpire_recipe.reading.tokenizer import around_segments

# What the engine's reader allows (src/library/tokenizer/bert-tokenizer.ts).
MAX_FILE_BYTES, MAX_WORD_CHARACTERS = 8_000_000, 200
PREFIX = "##"  # of a word's later pieces
# Two steps before the backbone's own normaliser, so that all implementations produce the same tokens. Some lower-case whole strings, which
# changes a final sigma. Some look at UTF-16 units, and miss ideographs beyond the basic plane. The vocabulary knows none of those.
SIGMA = {"type": "Replace", "pattern": {"String": "\u03a3"}, "content": "\u03c3"}
IDEOGRAPHS = {"type": "Replace", "pattern": {"Regex": "[\U00020000-\U0003fffd]"}, "content": " \u3400 "}


def kind_of(part: object) -> str:
    return str(part.get("type")) if isinstance(part, dict) else "nothing"


def checked(settings: dict, words: int) -> dict:
    """The settings, if the engine reads such a tokenizer. words: rows of the embedding. @raises BackboneRefused"""
    for name, known in (("model", "WordPiece"), ("normalizer", "BertNormalizer"), ("pre_tokenizer", "BertPreTokenizer")):
        if (found := kind_of(settings.get(name))) != known:
            raise BackboneRefused(f"The {name} in tokenizer.json is {found}: only {known} is read.")
    model = settings["model"]
    vocabulary = model["vocab"]
    if (last := max(vocabulary.values(), default=0)) >= words:
        raise BackboneRefused(f"tokenizer.json has a token {last}, but the embedding has only {words} rows.")
    missing = [token for token in (*around_segments(vocabulary), model.get("unk_token")) if token not in vocabulary]
    if missing:
        raise BackboneRefused(f"The vocabulary in tokenizer.json lacks {missing[0]}.")
    if (prefix := model.get("continuing_subword_prefix", PREFIX)) != PREFIX:
        raise BackboneRefused(f"Later pieces of a word begin with {prefix!r} in tokenizer.json: only {PREFIX!r} is read.")
    if (longest := model.get("max_input_chars_per_word", 100)) > MAX_WORD_CHARACTERS:
        raise BackboneRefused(f"tokenizer.json reads words of {longest} characters: at most {MAX_WORD_CHARACTERS} are allowed.")
    return settings


def pack_tokenizer(settings: dict, words: int) -> bytes:
    """The tokenizer file of a pack, made from a backbone's.

    It neither truncates nor pads: the engine does. It has no special tokens: "[SEP]" or "[PAD]" in a text is read as brackets and
    letters, so text can never end a segment or hide a word.
    """
    own = checked(settings, words)["normalizer"]
    same_everywhere = [SIGMA, IDEOGRAPHS] if own.get("lowercase", True) else [IDEOGRAPHS]
    settings = settings | {"normalizer": {"type": "Sequence", "normalizers": [*same_everywhere, own]}}
    settings |= {"truncation": None, "padding": None, "added_tokens": [], "post_processor": None}
    content = (json.dumps(settings, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
    if len(content) > MAX_FILE_BYTES:
        raise BackboneRefused(f"tokenizer.json has {len(content) / 1e6:.1f} MB: the engine reads at most {MAX_FILE_BYTES / 1e6:.0f} MB.")
    return content
