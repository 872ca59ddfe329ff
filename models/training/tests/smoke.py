"""Makes a tiny release: python -m tests.smoke. Shows that the steps fit together, not how good a model becomes.

A release of two stretches and a mean, from a given checkpoint with random weights. It leaves a pack that the engine would accept.
"""

import filecmp
import json
import tempfile
from pathlib import Path

from tests import smoke_backbones
from tests.commands import passed, run_module, steps_in
from tests.random_checkpoint import write_checkpoint
from tests.small_data import write_small_data

DESCRIPTION = """
[pack]
description = "Knows nothing."
releaseDate = "2026-01-31"
licence = "CC0"

[[checkpoint]]
name = "random"
lost = "random weights"

[[checkpoint]]
name = "trained"
from = "random"

[[checkpoint.stretch]]
mix = { rows = 30, twins = 8, decision-passes = 1 }
train = { tokens = 0.03, quantise-from = 1 }

[[checkpoint.stretch]]
mix = { rows = 20, twins = 8, decision-passes = 1, seed = 1 }
train = { tokens = 0.06, quantise-from = 0.8 }

[[checkpoint]]
name = "merged"
mean = { random = 0.25, trained = 0.75 }

[calibrate]
rows = 25
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, work, release, packs = write_small_data(folder / "data"), folder / "work", folder / "umpire-smoke", folder / "packs"
        for place in (release, work / "random", folder / "own"):
            place.mkdir(parents=True)
        (release / "release.toml").write_text(DESCRIPTION, "utf-8")
        (release / "card.md").write_text("# umpire-smoke\n", "utf-8")
        # The project's own questions are left out: they cite texts that this data folder does not hold.
        places = ("--data", data, "--authored", folder / "own", "--work", work, "--packs", packs, "--golden", folder / "golden")
        command = ("umpire_recipe.release", release, *places)

        missing = run_module(*command)
        assert missing.returncode == 1 and "random (random weights)" in missing.stdout, "a lost checkpoint stops the release"
        write_checkpoint(work / "random" / "model.safetensors")
        said = passed(run_module(*command))
        print(steps_in(said), flush=True)

        first, last = (json.loads(line) for line in (work / "trained" / "log.jsonl").read_text("utf-8").splitlines())
        assert last["step"] > first["step"] and 30_000 < last["tokens"] - first["tokens"] + 5000 < 45_000, "stretch 2 continued stretch 1"
        assert last["quantised"] and not first["quantised"], "only stretch 2 ended with rounding"
        pack = packs / "umpire-smoke"
        fitted = json.loads((release / "calibration.json").read_text("utf-8"))
        held = json.loads((pack / "manifest.json").read_text("utf-8"))["calibration"]
        assert held == fitted and fitted["noul"]["temperature"] != 1, "the pack holds the fitted calibration"
        for name in ("umpire-smoke", "umpire-smoke-features"):
            assert json.loads((folder / "golden" / f"{name}.json").read_text("ascii"))["cases"], "there are golden vectors"
        basis = work / "features.bin"
        assert (pack / "features.bin").read_bytes() == basis.read_bytes(), "the pack holds the basis of features"

        assert "\n-- " not in passed(run_module(*command)), "what is done is not done again"
        (release / "card.md").write_text("# umpire-smoke, changed\n", "utf-8")
        refused = run_module(*command)
        assert refused.returncode == 1 and "would overwrite the released pack" in refused.stderr, "a released pack is not overwritten"
        (release / "card.md").write_text("# umpire-smoke\n", "utf-8")

        checkpoint, again = work / "merged" / "model.safetensors", folder / "again" / "umpire-smoke"
        made = ("--checkpoint", checkpoint, "--release", release, "--calibration", release / "calibration.json", "--features", basis)
        passed(run_module("umpire_recipe.export", *made, "--out", again))
        names = [path.name for path in pack.iterdir()]
        assert filecmp.cmpfiles(pack, again, names, shallow=False)[0] == names, "the same checkpoint gives the same bytes"
        print(passed(run_module("umpire_recipe.evaluate.compare", "--data", data, "--pack", pack, "--checkpoint", checkpoint)), end="")
    smoke_backbones.main()
    print("smoke: every step ran", flush=True)


if __name__ == "__main__":
    main()
