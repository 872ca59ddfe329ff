"""What no training sees: the tuning split. Choices between recipes, temperatures and the confidence map are made on it; eval/ only reports."""

import hashlib
from functools import cache
from pathlib import Path

from sources import set_rows

# Whole sets: topics, intents, sentiment, abuse, software, emotions.
SETS = ("customer_reviews_cr", "edos_sexism", "isear_emotion", "rasa_nlu", "reuters_r8", "satd_comments")
SHARE = 0.07  # of all states


@cache
def texts_of_sets(data: Path) -> frozenset[str]:
    """Texts of the held-out sets: some stand in another set as well, where their label would give the answer away."""
    return frozenset(row["text"] for name in SETS for row in set_rows(data, name))


def is_held_out(state_text: str) -> bool:
    """By the state's text alone, so that no state is on both sides, whatever file it stands in."""
    return int.from_bytes(hashlib.sha256(state_text.encode()).digest()[:4]) < SHARE * 2**32
