"""A folder in hub layout with an encoder of random weights and a small vocabulary."""

import json
import re
import string
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file

from tests.small_data import PEOPLE, PLACES, THINGS
from umpire_recipe.backbone.config import checked
from umpire_recipe.backbone.shapes import expected_shapes
from umpire_recipe.export.smoothing import REQUESTS

LETTERS = (*string.ascii_letters, *string.digits)
# Not where MiniLM has them; and as MPNet has them, with those of BERT that it does not use.
SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
MPNETS = ("<s>", "<pad>", "</s>", "<unk>", *SPECIAL)


def vocabulary(lowercase: bool, special: tuple[str, ...] = SPECIAL) -> dict[str, int]:
    """Letters, and the words of texts that the recipe reads: letter by letter, they would take long."""
    texts = "".join(path.read_text("utf-8") for path in sorted(REQUESTS.glob("*.json")))
    words = (*PEOPLE, *PLACES, *THINGS, *re.findall("[A-Za-z]+", texts.lower() if lowercase else texts))
    words = [word.lower() for word in words] if lowercase else words
    tokens = dict.fromkeys((*special, *string.punctuation, *LETTERS, *(f"##{letter}" for letter in LETTERS), *words))
    return {token: number for number, token in enumerate(tokens)}


def tokenizer_settings(lowercase: bool, special: tuple[str, ...] = SPECIAL) -> dict:
    """As hubs publish it: with added tokens, and cutting and padding."""
    vocab = vocabulary(lowercase, special)
    model = {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab}
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    return {
        "version": "1.0",
        "truncation": {"max_length": 128, "strategy": "LongestFirst", "stride": 0},
        "padding": None,
        "added_tokens": [{"id": vocab[token], "content": token} | flags for token in special],
        "normalizer": {
            "type": "BertNormalizer",
            "clean_text": True,
            "handle_chinese_chars": True,
            "strip_accents": None,
            "lowercase": lowercase,
        },
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": model,
    }


def configuration(layers: int, width: int, heads: int, **others: object) -> dict:
    """others: of config.json."""
    return {
        "model_type": "bert",
        "hidden_act": "gelu",
        "num_hidden_layers": layers,
        "hidden_size": width,
        "num_attention_heads": heads,
        "intermediate_size": 4 * width,
        "vocab_size": 2560,
        "max_position_embeddings": 512,
        "type_vocab_size": 2,
        "layer_norm_eps": 1e-12,
        "initializer_range": 0.02,
    } | others


def mpnet_configuration(layers: int, width: int, heads: int, **others: object) -> dict:
    changed = {"model_type": "mpnet", "max_position_embeddings": 514, "relative_attention_num_buckets": 32, "layer_norm_eps": 1e-5}
    made = configuration(layers, width, heads, **changed | others)
    del made["type_vocab_size"]
    return made


def weights(config: dict, seed: int = 0) -> dict[str, np.ndarray]:
    """By the names of a hub's BERT or MPNet.

    Attention is sharp and the rest of a layer weak: otherwise all tokens are alike after a few layers, and every answer is the same.
    """
    chance, found = np.random.default_rng(seed), {}
    for name, size in expected_shapes(checked(config)[0]).items():
        gain = 4 if any(part in name for part in (".query.", ".key.", ".attn.q.", ".attn.k.")) else 0.6
        spread = (
            1 if "relative_attention_bias" in name or "embeddings.weight" in name else gain * size[-1] ** -0.5 if len(size) == 2 else 0.1
        )
        values = (chance.standard_normal(size) * spread).astype(np.float32)
        found[name] = values + 1 if name.endswith("LayerNorm.weight") else values
    return found


def write_backbone(folder: Path, config: dict, lowercase: bool = True, prefix: str = "", without: str = "absent") -> Path:
    """prefix: of the tensors' names. without: leaves out tensors whose names begin so."""
    special = MPNETS if config["model_type"] == "mpnet" else SPECIAL
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer_settings(lowercase, special)), "utf-8")
    stored = {f"{prefix}{name}": tensor for name, tensor in weights(config).items() if not name.startswith(without)}
    save_file(stored, str(folder / "model.safetensors"))
    return folder
