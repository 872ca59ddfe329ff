"""The steps of a release as commands, each with the files that it reads and the file that it makes."""

from dataclasses import dataclass
from pathlib import Path

from umpire_recipe.backbone.folder import CONFIG, TOKENIZER, WEIGHTS
from umpire_recipe.release.description import BACKBONE, Checkpoint, Release, flags

MODEL = "model.safetensors"


@dataclass(frozen=True)
class Places:
    """data: data folder. authored: the project's own questions. work: everything unfinished. packs, golden: where results go.

    golden: None for none. backbone: folder of the encoder; None for the recipe's own.
    """

    data: Path
    authored: Path
    work: Path
    packs: Path
    golden: Path | None
    backbone: Path | None = None

    @property
    def reading(self) -> dict[str, Path]:
        """The option of commands that read text."""
        return {"backbone": self.backbone} if self.backbone else {}

    def of_backbone(self, *names: str) -> list[Path]:
        return [self.backbone / name for name in names] if self.backbone else []


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
        prepare = {"data": places.data, "authored": places.authored, **places.reading, "out": mix}
        made.append(step(f"mix of {name}", "prepare", prepare, places.of_backbone(TOKENIZER), mix / "mix.npz", *flags(stretch.mix)))
        train = {"mix": mix, "out": out} | ({"init": start[0]} if start else places.reading)
        reads = [mix / "mix.npz", *(start or places.of_backbone(CONFIG, WEIGHTS))]
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
    calibration = release.folder / "calibration.json"
    described = [release.folder / "release.toml", release.folder / "card.md", *places.of_backbone(TOKENIZER)]
    tuning, basis = places.work / "tuning.json", places.work / "features.bin"
    graph = [draft / "weights.bin", draft / "int8.onnx"]
    export = {"checkpoint": model, "release": release.folder, **places.reading}
    fit = {"pack": draft, **asked, "out": calibration}
    return [
        step("figures on the tuning split", "evaluate", {**asked, **places.reading, "checkpoint": model, "out": tuning}, [model], tuning),
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
        *golden_steps(release.id, pack, places),
    ]


def golden_steps(release_id: str, pack: Path, places: Places) -> list[Step]:
    if not places.golden:
        return []
    golden, features = places.golden / f"{release_id}.json", places.golden / f"{release_id}-features.json"
    return [
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
