"""Loads the texts of a generator or of a part: texts/<name>.json."""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "texts"


def load_texts(name: str) -> dict[str, Any]:
    """Returns the texts of `texts/<name>.json` by name. Lists become tuples, since all twins share them."""
    return _frozen(json.loads((FOLDER / f"{name}.json").read_text("utf-8")))


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(one) for one in value)
    if isinstance(value, dict):
        return {key: _frozen(one) for key, one in value.items()}
    return value
