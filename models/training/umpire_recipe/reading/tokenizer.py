"""Text becomes tokens as the engine makes them."""

from collections.abc import Container

from tokenizers import Tokenizer

OF_BERT, OF_MPNET = ("[CLS]", "[SEP]"), ("<s>", "</s>")


def around_segments(vocabulary: Container[str]) -> tuple[str, str]:
    """The special tokens around a segment. MPNet's vocabulary has BERT's as well, which it does not use."""
    return OF_MPNET if all(token in vocabulary for token in OF_MPNET) else OF_BERT


def without_lone_surrogates(text: str) -> str:
    """Replaces each half of a surrogate pair that stands alone by U+FFFD, as JavaScript's toWellFormed does."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class TextTokenizer:
    """Turns text into token ids, without special tokens. cls_id, sep_id: what stands around a segment. words: size of the vocabulary."""

    def __init__(self, content: bytes):
        """content: of a pack's tokenizer file."""
        self.tokenizer = Tokenizer.from_str(content.decode())
        self.cls_id, self.sep_id = map(self.tokenizer.token_to_id, around_segments(self.tokenizer.get_vocab()))
        self.words = self.tokenizer.get_vocab_size()

    def ids(self, text: str) -> list[int]:
        return self.tokenizer.encode(without_lone_surrogates(text), add_special_tokens=False).ids
