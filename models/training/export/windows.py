"""How a long state is cut into windows of one length."""

WINDOW_TOKENS = 384  # with the two special tokens
OVERLAP_TOKENS = 64
SPECIAL_TOKENS = 2  # [CLS] text [SEP]
CLS, SEP = 101, 102


def segment(ids: list[int]) -> list[int]:
    return [CLS, *ids, SEP]


def overlapping(ids: list[int], content: int, overlap: int) -> list[list[int]]:
    """Parts of exactly `content` tokens (one shorter part where there are fewer), spread evenly, neighbours sharing `overlap` or more; nothing is left out."""
    count = len(ids)
    if count <= content:
        return [ids]
    number = -(-(count - overlap) // (content - overlap))
    starts = [i * (count - content) // (number - 1) for i in range(number)]
    return [ids[start : start + content] for start in starts]


def windows(ids: list[int]) -> list[list[int]]:
    """The state's text tokens -> its windows. All have one length, neighbours share 64 tokens or a few more, and nothing is left out."""
    return [segment(part) for part in overlapping(ids, WINDOW_TOKENS - SPECIAL_TOKENS, OVERLAP_TOKENS)]
