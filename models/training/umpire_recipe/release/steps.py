"""The steps of a release as commands, each with the files that it reads and the file that it makes."""

from dataclasses import dataclass
from pathlib import Path

from umpire_recipe.release.description import BACKBONE, Checkpoint, Release, flags

MODEL = "model.safetensors"


@dataclass(frozen=True)
class Places:
    """data: data folder. authored: the project's own questions. work: everything unfinished. packs, golden: where results go."""

    data: Path
    authored: Path
    work: Path
    packs: Path
    golden: Path


@dataclass(frozen=True)
class Step:
    """name: unique in a release. command: module and arguments. reads: files whose change makes the step due again. makes: its result.

    seals: whether it writes what a released pack rests on. resumes: whether running it again continues instead of starting anew.
    """

    name: str
    command: list[str]
    reads: list[Path]
    makes: Path
    seals: bool = False
    resumes: bool = False


def step(name: str, module: str, arguments: dict[str, object], reads: list[Path], makes: Path, *more: str, **how: bool) -> Step:
    return Step(name, [f"umpire_recipe.{module}", *flags(arguments), *more], reads, makes, **how)


def model_of(name: str, places: Places) -> Path:
    return places.work / name / MODEL


def training_steps(checkpoint: Checkpoint, places: Places) -> list[Step]:
    made, out = [], places.work / checkpoint.name
    start = [] if checkpoint.start == BACKBONE else [model_of(checkpoint.start, places)]
    for number, stretch in enumerate(checkpoint.stretches, 1):
        name, mix = f"{checkpoint.name}, stretch {number}", out / f"mix-{number}"
        prepare = {"data": places.data, "authored": places.authored, "out": mix}
        made.append(step(f"mix of {name}", "prepare", prepare, [], mix / "mix.npz", *flags(stretch.mix)))
        train = {"mix": mix, "out": out} | ({"init": start[0]} if start else {})
        reads = [mix / "mix.npz", *start]
        made.append(step(f"training of {name}", "train", train, reads, out / MODEL, *flags(stretch.train), resumes=True))
    return made


def mean_step(checkpoint: Checkpoint, places: Places) -> Step:
    parts = {model_of(name, places): share for name, share in checkpoint.mean.items()}
    shares = [f"{path}={share}" for path, share in parts.items()]
    makes = model_of(checkpoint.name, places)
    return step(f"mean {checkpoint.name}", "merge", {"out": makes}, list(parts), makes, *shares)


def finishing_steps(release: Release, places: Places) -> list[Step]:
    """From the last checkpoint to the pack. It is exported twice: calibration and basis are fitted on the int8 graph and belong in it."""
    model = model_of(release.checkpoints[-1].name, places)
    asked = {"data": places.data, "authored": places.authored}
    draft, pack = places.work / "draft" / release.id, places.packs / release.id
    calibration, golden = release.folder / "calibration.json", places.golden / f"{release.id}.json"
    features = places.golden / f"{release.id}-features.json"
    described = [release.folder / "release.toml", release.folder / "card.md"]
    tuning, basis = places.work / "tuning.json", places.work / "features.bin"
    graph = [draft / "weights.bin", draft / "int8.onnx"]
    export = {"checkpoint": model, "release": release.folder}
    fit = {"pack": draft, **asked, "out": calibration}
    return [
        step("figures on the tuning split", "evaluate", {**asked, "checkpoint": model, "out": tuning}, [model], tuning),
        step("draft pack, not calibrated", "export", {**export, "out": draft}, [model, *described], draft / "manifest.json"),
        step(
            "calibration",
            "calibrate",
            fit,
            graph,
            calibration,
            *flags(release.calibrate),
            seals=True,
        ),
        step("basis of features", "features", {"pack": draft, "data": places.data, "out": basis}, graph, basis),
        step(
            "pack",
            "export",
            {**export, "out": pack, "calibration": calibration, "features": basis},
            [model, calibration, basis, *described],
            pack / "manifest.json",
            seals=True,
        ),
        step("golden vectors", "golden", {"pack": pack, "out": golden}, [pack / "manifest.json"], golden),
        step("golden features", "golden.features", {"pack": pack, "out": features}, [pack / "manifest.json"], features),
    ]


def lost_checkpoints(release: Release, places: Places) -> list[Checkpoint]:
    """Checkpoints that are needed, cannot be made again and were not put in the work folder."""
    return [one for one in needed(release, places) if one.lost and not model_of(one.name, places).exists()]


def needed(release: Release, places: Places) -> list[Checkpoint]:
    """The last checkpoint and, in order, all that it rests on. What a lost checkpoint rested on is needed only while it is missing."""
    names = {release.checkpoints[-1].name}
    for checkpoint in reversed(release.checkpoints):
        given = checkpoint.lost and model_of(checkpoint.name, places).exists()
        if checkpoint.name in names and not given:
            names.update(checkpoint.parents)
    return [one for one in release.checkpoints if one.name in names]


def steps_of(release: Release, places: Places) -> list[Step]:
    """All steps in order, without those of lost checkpoints."""
    made: list[Step] = []
    for checkpoint in needed(release, places):
        if checkpoint.lost:
            continue
        made += [mean_step(checkpoint, places)] if checkpoint.mean else training_steps(checkpoint, places)
    return [*made, *finishing_steps(release, places)]
