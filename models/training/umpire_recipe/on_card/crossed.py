"""Texts with questions that were written for other texts. Nobody knows the answers, so only a teacher can say what is right."""

from collections.abc import Mapping

import numpy as np

from umpire_recipe.on_card.plan import SETS, WRITTEN
from umpire_recipe.train.batches import UNKNOWN, Mix

MOST_ASKED = 3  # questions of a text
SHARED = ("tokens", "segment_at", "special_tokens")  # arrays that are those of the mix it was made from


def places(begins: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where the rows of a ragged array are, one after another, and where each begins among them. begins [N+1]: of all rows."""
    lengths = begins[chosen + 1] - begins[chosen]
    at = np.concatenate([[0], np.cumsum(lengths)])
    return np.repeat(begins[chosen] - at[:-1], lengths) + np.arange(at[-1]), at


def crossed(mix: Mix, count: int, chance: np.random.Generator) -> Mapping[str, np.ndarray]:
    """The arrays of `count` groups, but those in SHARED. Texts are of all parts alike, questions hand-written or of classification sets."""
    parts = [np.flatnonzero(mix.group_part == part) for part in np.unique(mix.group_part)]
    states = np.concatenate([chance.choice(part, count // len(parts) + 1) for part in parts])
    states = chance.permutation(states)[:count]
    part_of_question = np.repeat(mix.group_part, np.diff(mix.group_questions_at))
    donors = [found for part in (SETS, WRITTEN) if len(found := np.flatnonzero(part_of_question == part))]
    asked_at = np.concatenate([[0], np.cumsum(chance.integers(1, MOST_ASKED + 1, count))])
    drawn = [chance.choice(donor, asked_at[-1]) for donor in donors]
    questions = np.choose(chance.integers(0, len(drawn), asked_at[-1]), drawn)
    windows, windows_at = places(mix.group_windows_at, states)
    options, options_at = places(mix.question_options_at, questions)
    return {
        "windows": mix.windows[windows],
        "group_windows_at": windows_at,
        "group_questions_at": asked_at,
        "question_text": mix.question_text[questions],
        "question_kind": mix.question_kind[questions],
        "question_answer": np.full(len(questions), UNKNOWN),
        "question_options_at": options_at,
        "options": mix.options[options],
        "option_label": mix.option_label[options],
    }
