"""The tuning split, which training never sees.

Recipes are chosen, and temperatures and confidence curves fitted, on this split. The eval folders only serve for reporting.
"""

import hashlib
from functools import cache
from pathlib import Path

from umpire_recipe.prepare.sources import set_rows

# Whole sets: topics, intents, sentiment, abuse, software, emotions.
SETS = ("customer_reviews_cr", "edos_sexism", "isear_emotion", "rasa_nlu", "reuters_r8", "satd_comments")
SHARE = 0.07  # of all states


@cache
def texts_of_sets(data: Path) -> frozenset[str]:
    """Texts of the held-out sets. Some also stand in another set, where their label would give the answer away."""
    return frozenset(row["text"] for name in SETS for row in set_rows(data, name))


def is_held_out(state_text: str) -> bool:
    """Whether a state belongs to the tuning split. Its text alone decides, so that it is on the same side in every file."""
    return int.from_bytes(hashlib.sha256(state_text.encode()).digest()[:4]) < SHARE * 2**32
