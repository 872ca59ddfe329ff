"""The shapes of pair models that are published. Vocabularies are smaller: time does not depend on them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tokenizers import Tokenizer
from train_tokenizers import byte_level_bpe, deberta_unigram_without_charsmap, modern_bpe, wordpiece

VOCABULARY = 8000  # enough for short pieces of plain English to be as many as with a published vocabulary


@dataclass(frozen=True)
class Shape:
    """What differs from the test's tiny model of the same architecture."""

    name: str
    architecture: str  # of test/fixtures/make
    sizes: dict[str, object]
    train: Callable[[Sequence[str], int], Tokenizer]
    positions: int = 512


def encoder(layers: int, width: int, heads: int, inner: int, positions: int = 512) -> dict[str, object]:
    return {
        "num_hidden_layers": layers,
        "hidden_size": width,
        "num_attention_heads": heads,
        "intermediate_size": inner,
        "max_position_embeddings": positions,
    }


def deberta(layers: int, width: int, heads: int) -> dict[str, object]:
    return encoder(layers, width, heads, 4 * width) | {"pooler_hidden_size": width, "position_buckets": 256}


MODERNBERT_BASE = encoder(22, 768, 12, 1152, 8192) | {"global_attn_every_n_layers": 3, "local_attention": 128}
BART_LARGE = {
    "d_model": 1024,
    "encoder_layers": 12,
    "decoder_layers": 12,
    "encoder_attention_heads": 16,
    "decoder_attention_heads": 16,
    "encoder_ffn_dim": 4096,
    "decoder_ffn_dim": 4096,
    "max_position_embeddings": 1024,
}

SHAPES = (
    Shape("minilm-l6", "bert", encoder(6, 384, 12, 1536), wordpiece),
    Shape("deberta-v3-xsmall", "deberta-v3", deberta(12, 384, 6), deberta_unigram_without_charsmap),
    Shape("deberta-v3-small", "deberta-v3", deberta(6, 768, 12), deberta_unigram_without_charsmap),
    # mDeBERTa-v3-base has the same.
    Shape("deberta-v3-base", "deberta-v3", deberta(12, 768, 12), deberta_unigram_without_charsmap),
    # XLM-RoBERTa-base has the same.
    Shape("roberta-base", "roberta", encoder(12, 768, 12, 3072, 514), byte_level_bpe),
    Shape("modernbert-base", "modernbert", MODERNBERT_BASE, modern_bpe, positions=8192),
    Shape("bart-large", "bart", BART_LARGE, byte_level_bpe, positions=1024),
)
