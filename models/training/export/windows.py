"""How a long state is cut into windows of one length."""

WINDOW_TOKENS = 384  # with the two special tokens
OVERLAP_TOKENS = 64
SPECIAL_TOKENS = 2  # [CLS] text [SEP]
CLS, SEP = 101, 102


def segment(ids: list[int]) -> list[int]:
    return [CLS, *ids, SEP]


def windows(ids: list[int]) -> list[list[int]]:
    """The state's text tokens -> its windows. All have one length, neighbours share 64 tokens or a few more, and nothing is left out."""
    content, count = WINDOW_TOKENS - SPECIAL_TOKENS, len(ids)
    if count <= content:
        return [segment(ids)]
    number = -(-(count - OVERLAP_TOKENS) // (content - OVERLAP_TOKENS))
    starts = [i * (count - content) // (number - 1) for i in range(number)]
    return [segment(ids[start : start + content]) for start in starts]
