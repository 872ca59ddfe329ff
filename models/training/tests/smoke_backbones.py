"""Makes tiny packs from three encoders of random weights: python -m tests.smoke_backbones. TypeScript's engine must answer as Python does.

One has 3 layers, 64 wide. The other has 12, 384 wide, and is unlike MiniLM wherever an encoder may be: heads of 64, another epsilon,
capital letters, one token type, no pooler, and tensors named as in a model with a head. The third is of MPNet's kind.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np

from tests.commands import passed, run, run_module, steps_in
from tests.random_backbone import configuration, mpnet_configuration, write_backbone
from tests.small_data import write_small_data
from umpire_recipe.answering.decider import Decider, read_manifest
from umpire_recipe.answering.session import PackSession
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
train = { tokens = 0.004, batch-tokens = 1024, quantise-from = 0.5 }

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
ANSWERS = 1e-4  # how far probabilities may be apart: an int8 rounding more or less
DIFFER = 1e-3  # by how much those of the options differ at least: otherwise the comparison would show nothing


def made_by_make(folder: Path, backbone: Path, release: Path, data: Path) -> Path:
    given = {
        "BACKBONE": backbone,
        "DATA": data,
        "RELEASE": release,
        "WORK": folder / "work",
        "PACKS": folder / "packs",
        "PYTHON": sys.executable,
        # The project's own questions cite texts that this data folder does not hold.
        "OPTIONS": f"--authored {folder / 'own'}",
    }
    print(steps_in(passed(run("make", "--silent", *(f"{name}={value}" for name, value in given.items())))), flush=True)
    return folder / "packs" / release.name


def made_by_steps(folder: Path, backbone: Path, release: Path, data: Path) -> Path:
    mix, out, pack = (folder / name for name in ("mix", "trained", "packs/by-steps"))
    reading, asked = ("--backbone", backbone), ("--data", data, "--authored", folder / "own")
    little = ("--rows", 4, "--twins", 1, "--decision-passes", 1, "--nli-share", 0.05)
    passed(run_module("umpire_recipe.prepare", *asked, *reading, "--out", mix, *little))
    short = ("--tokens", 0.004, "--batch-tokens", 1024, "--quantise-from", 0.5)
    passed(run_module("umpire_recipe.train", "--mix", mix, "--out", out, *reading, *short))
    checkpoint = ("--checkpoint", out / "model.safetensors")
    passed(run_module("umpire_recipe.export", *checkpoint, *reading, "--release", release, "--out", pack))
    passed(run_module("umpire_recipe.calibrate", "--pack", pack, *asked, "--rows", 4, "--out", folder / "calibration.json"))
    wrong = run_module("umpire_recipe.export", *checkpoint, "--release", release, "--out", folder / "packs" / "wrong")
    assert wrong.returncode == 2 and "pass the --backbone that it was trained from" in wrong.stderr, wrong.stderr
    return pack


def probabilities(answer: dict) -> list[float]:
    """Of an answer in the product's form, as Python's Decider states them."""
    return list(answer["probabilities"].values()) if "probabilities" in answer else [answer["noul"]]


def check_engine(pack: Path) -> None:
    """TypeScript's engine accepts the pack, which includes its self-test, and answers as Python does."""
    said = passed(run("node", TRAINING / "tests" / "answer.mjs", pack, json.dumps(REQUEST)))
    answers, manifest = json.loads(said), read_manifest(pack)
    decider = Decider(pack, manifest, PackSession(pack, manifest, "int8"))
    for name, expected in decider.decide(REQUEST["state"], REQUEST["questions"]).items():
        np.testing.assert_allclose(probabilities(answers[name]), expected.probabilities, atol=ANSWERS, err_msg=name)
        assert name != "who" or np.ptp(expected.probabilities) > DIFFER, expected


def main() -> None:
    unlike = configuration(12, 384, 6, layer_norm_eps=1e-5, type_vocab_size=1, vocab_size=2816)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, release = write_small_data(folder / "data"), folder / "by-make"
        for place in (release, folder / "own", folder / "relative" / "own"):
            place.mkdir(parents=True)
        (release / "release.toml").write_text(DESCRIPTION, "utf-8")
        (release / "card.md").write_text("# by-make\n", "utf-8")
        small = write_backbone(folder / "random-3x64", configuration(3, 64, 4))
        large = write_backbone(folder / "random-12x384", unlike, lowercase=False, prefix="bert.", without="pooler.")
        relative = write_backbone(folder / "random-mpnet-3x64", mpnet_configuration(3, 64, 4))
        made = ((small, made_by_make, folder), (large, made_by_steps, folder), (relative, made_by_make, folder / "relative"))
        for backbone, make, at in made:
            pack = make(at, backbone, release, data)
            manifest, config = read_manifest(pack), json.loads((backbone / "config.json").read_text("utf-8"))
            network = manifest["network"]
            assert network["layers"] == config["num_hidden_layers"] and network["heads"] == config["num_attention_heads"], network
            assert ("relativePositions" in manifest) == (backbone is relative), manifest
            assert network["heads"] * network["headSize"] == config["hidden_size"] and manifest["languages"] == ["en", "de"], manifest
            check_engine(pack)
            print(f"{backbone.name}: TypeScript's engine answers as Python does", flush=True)


if __name__ == "__main__":
    main()
