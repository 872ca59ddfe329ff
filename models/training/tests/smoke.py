"""Every step of the recipe on next to nothing: `make smoke`. Says whether the steps still fit together, not how good the model is.

Trains on 60,000 tokens in two runs, the second of which goes on from the first, and leaves a pack that the engine would accept.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import recipe  # noqa: F401  (puts the recipe's modules on the path)
from small_data import write_small_data

TRAINING = Path(__file__).resolve().parents[1]


def step(name: str, *arguments: object) -> None:
    started = time.monotonic()
    subprocess.run([sys.executable, str(TRAINING / name), *map(str, arguments)], check=True)
    print(f"-- {name}: {time.monotonic() - started:.0f} s", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        data, work, pack = write_small_data(folder / "data"), folder / "work", folder / "umpire-smoke"
        own = ("--authored", folder)  # the project's own questions ask about texts that this data folder does not hold
        step("prepare", "--data", data, "--out", work, *own, "--rows", 30, "--twins", 8, "--decision-passes", 1)
        for tokens in (0.03, 0.06):
            step("train", "--mix", work, "--out", work, "--tokens", tokens, "--quantise-from", 0.8)
        first, last = (json.loads(line) for line in (work / "log.jsonl").read_text("utf-8").splitlines())
        assert last["step"] > first["step"] and 30_000 < last["tokens"] - first["tokens"] + 5000 < 45_000, "training went on from where it was"
        assert last["quantised"], "and ended with rounding"
        step("evaluate", "--data", data, *own, "--checkpoint", work / "model.safetensors", "--out", work / "tuning.json")
        card = TRAINING / "cards" / "umpire-pilot.md"
        step("export", "--checkpoint", work / "model.safetensors", "--out", pack, "--card", card)
        step("calibrate", "--data", data, *own, "--pack", pack, "--out", work / "calibration.json", "--rows", 25)
        step("export", "--checkpoint", work / "model.safetensors", "--out", pack, "--card", card, "--calibration", work / "calibration.json")
        fitted, held = json.loads((work / "calibration.json").read_text("utf-8")), json.loads((pack / "manifest.json").read_text("utf-8"))["calibration"]
        assert held == fitted and fitted["noul"]["temperature"] != 1, "the pack holds the fitted calibration"
        step("compare", "--data", data, "--pack", pack, "--checkpoint", work / "model.safetensors")
    print("smoke: every step ran", flush=True)


if __name__ == "__main__":
    main()
