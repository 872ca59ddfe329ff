"""Makes tiny packs from two encoders of random weights: python -m tests.smoke_backbones. TypeScript's engine must answer as Python does.

One has 3 layers, 64 wide. The other has 12, 384 wide, and is unlike MiniLM wherever an encoder may be: heads of 64, another epsilon,
capital letters, one token type, no pooler, and tensors named as in a model with a head.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.random_backbone import configuration, write_backbone
from tests.small_data import write_small_data
from umpire_recipe.answering.decider import Decider, read_manifest
from umpire_recipe.answering.session import PackSession
from umpire_recipe.export.self_test import integer_product_is_exact
from umpire_recipe.folders import TRAINING

DESCRIPTION = """
[pack]
description = "Knows nothing."
releaseDate = "2026-01-31"
licence = "CC0"
languages = ["en", "de"]

[[checkpoint]]
name = "from-backbone"
from = "backbone"

[[checkpoint.stretch]]
mix = { rows = 4, twins = 1, decision-passes = 1, nli-share = 0.05 }
train = { tokens = 0.004, batch-tokens = 1024, rate = 0.01, quantise-from = 0.5 }

[calibrate]
rows = 4
"""
# Capital letters, marks, an accent, an ideograph beyond the basic plane, and text that spells a special token.
REQUEST = {
    "state": "Ana carried the lamp to the school; Ben has [SEP] the Kettle. \u03a3\u00e9 \U00020bb7 42!",
    "questions": {
        "who": {"type": "choice", "instructions": "Who has the kettle?", "criteria": {"Ana": None, "Ben": "the other one", "Dora": None}},
        "lamp": {"type": "noul", "instructions": "Is the lamp at the school?"},
    },
}
APART = 0.02  # the self-test's tolerance for int8, in log-odds; probabilities differ by less


def made(folder: Path, backbone: Path, data: Path) -> Path:
    """The pack that `make` makes."""
    release = folder / "releases" / backbone.name
    release.mkdir(parents=True)
    (release / "release.toml").write_text(DESCRIPTION, "utf-8")
    (release / "card.md").write_text(f"# {backbone.name}\n", "utf-8")
    (folder / "own").mkdir(exist_ok=True)
    given = {
        "BACKBONE": backbone,
        "DATA": data,
        "RELEASE": release,
        "WORK": folder / "work" / backbone.name,
        "PACKS": folder / "packs",
        "PYTHON": sys.executable,
        # The project's own questions cite texts that this data folder does not hold.
        "OPTIONS": f"--authored {folder / 'own'}",
    }
    command = ["make", "--silent", *(f"{name}={value}" for name, value in given.items())]
    done = subprocess.run(command, cwd=TRAINING, text=True, capture_output=True)
    assert done.returncode == 0, done.stdout + done.stderr
    print("\n".join(line for line in done.stdout.splitlines() if line.startswith("-- ") and line.endswith(" s")), flush=True)
    return folder / "packs" / backbone.name


def probabilities(answer: dict) -> list[float]:
    """Of an answer in the product's form, as Python's Decider states them."""
    return list(answer["probabilities"].values()) if "probabilities" in answer else [answer["noul"]]


def check_engine(pack: Path) -> None:
    """TypeScript's engine accepts the pack, which includes its self-test, and answers as Python does."""
    done = subprocess.run(
        ["node", TRAINING / "tests" / "answer.mjs", pack, json.dumps(REQUEST)], cwd=TRAINING, text=True, capture_output=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answers, manifest = json.loads(done.stdout), read_manifest(pack)
    int8 = "int8" if integer_product_is_exact(pack, manifest) else "int8-wide"
    decider = Decider(pack, manifest, PackSession(pack, manifest, int8))
    for name, expected in decider.decide(REQUEST["state"], REQUEST["questions"]).items():
        print("DEBUG", expected.scores, expected.probabilities, probabilities(answers[name]))
        np.testing.assert_allclose(probabilities(answers[name]), expected.probabilities, atol=APART, err_msg=name)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data = write_small_data(folder / "data")
        unlike = configuration(12, 384, 6, layer_norm_eps=1e-5, type_vocab_size=1, vocab_size=2816)
        backbones = (
            write_backbone(folder / "random-3x64", configuration(3, 64, 4)),
            write_backbone(folder / "random-12x384", unlike, lowercase=False, prefix="bert.", without="pooler."),
        )
        for backbone in backbones:
            pack = made(folder, backbone, data)
            network, config = read_manifest(pack)["network"], json.loads((backbone / "config.json").read_text("utf-8"))
            assert network["layers"] == config["num_hidden_layers"] and network["heads"] == config["num_attention_heads"], network
            assert network["heads"] * network["headSize"] == config["hidden_size"], network
            check_engine(pack)
            print(f"{backbone.name}: the engine answers as Python does", flush=True)


if __name__ == "__main__":
    main()
