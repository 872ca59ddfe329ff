"""The requests of golden vectors, and what the vectors say of their making."""

import hashlib
import json
import platform
from importlib.metadata import version
from pathlib import Path

from umpire_recipe.golden.long_states import long_requests
from umpire_recipe.golden.many_options import many_option_requests
from umpire_recipe.reading.tokenizer import TextTokenizer

HERE = Path(__file__).resolve().parent


def golden_requests(tokenizer: TextTokenizer) -> list[dict]:
    """All requests as {name, state, questions}, with unique names."""
    written = [case for path in sorted((HERE / "requests").glob("*.json")) for case in json.loads(path.read_text("utf-8"))]
    requests = [*written, *many_option_requests(), *long_requests(lambda text: len(tokenizer.ids(text)))]
    assert len({case["name"] for case in requests}) == len(requests), "two cases have one name"
    return requests


def made_with(pack: Path, manifest: dict) -> dict:
    versions = {name: version(name) for name in ("torch", "numpy", "tokenizers")}
    weights = hashlib.sha256((pack / manifest["weights"]).read_bytes()).hexdigest()
    return {"python": platform.python_version(), **versions, "pack": manifest["id"], "weightsSha256": weights}


def write_cases(path: Path, made: dict, cases: list[dict]) -> None:
    """One case a line, so that a diff shows which cases changed. ASCII, because lone surrogates cannot be written otherwise."""
    lines = ",\n".join(json.dumps(case) for case in cases)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f'{{"madeWith": {json.dumps(made)}, "cases": [\n{lines}\n]}}\n', encoding="ascii")
