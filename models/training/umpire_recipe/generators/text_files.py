"""Loads the data file with the texts of a family."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("texts")


def load_texts(family: str) -> dict[str, Any]:
    """Returns the texts of `texts/<family>.json` by name. Lists become tuples, since all twins share them."""
    return _frozen(json.loads((FOLDER / f"{family}.json").read_text("utf-8")))


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(one) for one in value)
    if isinstance(value, dict):
        return {key: _frozen(one) for key, one in value.items()}
    return value
