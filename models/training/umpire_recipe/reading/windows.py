"""Puts special tokens around texts, and cuts a long state into windows of equal length."""

from dataclasses import dataclass

WINDOW_TOKENS = 384  # including the two special tokens
OVERLAP_TOKENS = 64
SPECIAL_TOKENS = 2  # [CLS] text [SEP]


def overlapping(ids: list[int], content: int, overlap: int) -> list[list[int]]:
    """Parts of exactly `content` tokens that cover all ids, evenly spread; neighbours share at least `overlap` tokens.

    Fewer ids than `content` give one shorter part.
    """
    count = len(ids)
    if count <= content:
        return [ids]
    number = -(-(count - overlap) // (content - overlap))
    starts = [i * (count - content) // (number - 1) for i in range(number)]
    return [ids[start : start + content] for start in starts]


@dataclass(frozen=True)
class Segments:
    """How a network's segments are made: the ids of its special tokens."""

    cls_id: int
    sep_id: int

    def segment(self, ids: list[int]) -> list[int]:
        return [self.cls_id, *ids, self.sep_id]

    def windows(self, ids: list[int]) -> list[list[int]]:
        """A state's text tokens -> its windows with special tokens.

        All have the same length; neighbours share 64 tokens or slightly more.
        """
        return [self.segment(part) for part in overlapping(ids, WINDOW_TOKENS - SPECIAL_TOKENS, OVERLAP_TOKENS)]


def segments_of(manifest: dict) -> Segments:
    return Segments(manifest["tokenizer"]["clsId"], manifest["tokenizer"]["sepId"])
