"""Reads releases/<id>/release.toml: the whole way to a released model.

note               optional: printed whenever the release is planned
[pack]             description, releaseDate and licence, as in the manifest
[[checkpoint]]     in order; the last one becomes the pack
  name             unique
  from             an earlier checkpoint, or "backbone"
  [[.stretch]]     stretches of one training run: mix (options of prepare) and train (options of train; tokens count from the run's start)
  mean             in place of `from` and stretches: shares of earlier checkpoints
  lost             why it cannot be made again; the rest is then only a record
[calibrate]        options of calibrate

Options have the names of the command's flags: `nli-share = 0.3` becomes `--nli-share 0.3`, and each value of a list gets a flag of its own.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

BACKBONE = "backbone"
Options = dict[str, object]


class BadRelease(Exception):
    """A release that cannot be made as it is described. The message says why."""


@dataclass(frozen=True)
class Stretch:
    mix: Options
    train: Options


@dataclass(frozen=True)
class Checkpoint:
    """start: an earlier checkpoint, BACKBONE, or None for a mean. mean: share by name. lost: why it cannot be made again, or None."""

    name: str
    start: str | None
    stretches: list[Stretch] = field(default_factory=list)
    mean: dict[str, float] = field(default_factory=dict)
    lost: str | None = None

    @property
    def parents(self) -> list[str]:
        """Names of the checkpoints that it is made from."""
        if self.mean:
            return list(self.mean)
        return [] if self.start in (None, BACKBONE) else [self.start]


@dataclass(frozen=True)
class Release:
    folder: Path
    checkpoints: list[Checkpoint]
    calibrate: Options
    note: str = ""

    @property
    def id(self) -> str:
        return self.folder.name


def flags(options: Options) -> list[str]:
    """Options as a command's flags."""
    found = []
    for name, value in options.items():
        for one in value if isinstance(value, list) else [value]:
            found += [f"--{name}", str(one)]
    return found


def checkpoint_of(table: dict) -> Checkpoint:
    unknown = table.keys() - {"name", "from", "stretch", "mean", "lost"}
    if "name" not in table or unknown:
        raise BadRelease(f"A checkpoint needs a name and has no other keys than from, stretch, mean and lost. Found: {', '.join(table)}.")
    stretches = [Stretch(one["mix"], one["train"]) for one in table.get("stretch", [])]
    checkpoint = Checkpoint(table["name"], table.get("from"), stretches, table.get("mean", {}), table.get("lost"))
    trained, averaged = bool(checkpoint.start and stretches), bool(checkpoint.mean)
    if not checkpoint.lost and trained == averaged:
        raise BadRelease(f"Checkpoint {checkpoint.name} must be either trained (from and stretch) or a mean.")
    return checkpoint


def read_release(folder: Path) -> Release:
    """Raises BadRelease if release.toml is missing or does not hold together."""
    path = folder / "release.toml"
    if not path.exists():
        raise BadRelease(f"There is no {path}.")
    table = tomllib.loads(path.read_text("utf-8"))
    checkpoints = [checkpoint_of(one) for one in table.get("checkpoint", [])]
    if not checkpoints:
        raise BadRelease(f"{path} describes no checkpoint.")
    known: set[str] = set()
    for checkpoint in checkpoints:
        if checkpoint.name in known:
            raise BadRelease(f"Two checkpoints are called {checkpoint.name}.")
        if missing := [name for name in checkpoint.parents if name not in known]:
            raise BadRelease(f"Checkpoint {checkpoint.name} needs {', '.join(missing)}, which must come before it.")
        known.add(checkpoint.name)
    return Release(folder, checkpoints, table.get("calibrate", {}), table.get("note", "").strip())
