"""Makes a released model, from the training mix to the golden vectors, as its releases/<id>/release.toml describes.

python -m umpire_recipe.release <id> --data <data>

Steps that are done are skipped, and a training run that was stopped goes on. A step is done again when its command or one of the files that
it reads has changed. Changes to the data folder, the project's own questions or the code are not noticed: use another --work folder.
"""

import argparse
import subprocess
import sys
import time
from pathlib import Path

from umpire_recipe.backbone.folder import add_backbone_option
from umpire_recipe.folders import AUTHORED, GOLDEN_VECTORS, PACKS, RELEASES, TRAINING
from umpire_recipe.release.description import BadRelease, Release, read_release
from umpire_recipe.release.progress import Progress
from umpire_recipe.release.steps import Places, Step, lost_checkpoints, model_of, steps_of

SEAL = "manifest.json.sha256"
OVERWRITE = "--overwrite-released-pack"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", help="an id in releases/, or a folder with release.toml and card.md; its name is the pack's id")
    parser.add_argument("--data", type=Path, required=True, help="folder with cls, nli and decisions; only their train folders are read")
    parser.add_argument("--authored", type=Path, default=AUTHORED, help="folder with the project's own questions")
    parser.add_argument("--work", type=Path, help="folder for everything unfinished (default: models/training/work/<id>)")
    parser.add_argument("--packs", type=Path, default=PACKS, help="folder in which the pack's folder is made (default: models)")
    parser.add_argument("--golden", type=Path, default=GOLDEN_VECTORS, help="folder for the golden vectors (default: test/golden)")
    parser.add_argument("--no-golden", action="store_true", help="make no golden vectors, which only packs of this repository need")
    add_backbone_option(parser, "what a checkpoint from the backbone starts from")
    parser.add_argument("--plan", action="store_true", help="list the steps and stop")
    parser.add_argument(OVERWRITE, action="store_true", help="allow replacing a sealed pack, its calibration and its golden vectors")
    return parser.parse_args()


def plan(release: Release, places: Places, steps: list[Step], progress: Progress) -> None:
    lost = lost_checkpoints(release, places)
    for one in lost:
        print(f"cannot be made again: {one.name} ({one.lost}). Expected at {model_of(one.name, places)}.")
    for step in steps:
        print(f"{'done' if progress.is_done(step) else 'to do'}: {step.name}")
    if release.note:
        print(release.note)
    if lost:
        raise BadRelease(f"{release.id} cannot be made again. Missing: {', '.join(one.name for one in lost)}.")


def refuse_to_overwrite(step: Step, release: Release, places: Places) -> None:
    pack = places.packs / release.id
    if (pack / SEAL).exists():
        raise BadRelease(
            f"The step '{step.name}' would overwrite the released pack {pack} or what belongs to it. Pass {OVERWRITE} to allow it."
        )


def run(step: Step) -> None:
    print(f"-- {step.name}", flush=True)
    started = time.monotonic()
    step.makes.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run([sys.executable, "-m", *step.command], cwd=TRAINING)
    if done.returncode:
        raise BadRelease(f"The step '{step.name}' failed. Run the same command again to continue.")
    print(f"-- {step.name}: {time.monotonic() - started:.0f} s", flush=True)


def make(release: Release, places: Places, steps: list[Step], progress: Progress, may_overwrite: bool) -> None:
    # Checked here as well, so that it does not come up after hours of training. A work folder that made the pack itself may go on.
    sealing = [step for step in steps if step.seals]
    if not may_overwrite and not any(step.name in progress.records for step in sealing):
        refuse_to_overwrite(sealing[0], release, places)
    for step in steps:
        if progress.is_done(step):
            continue
        if step.seals and not may_overwrite:
            refuse_to_overwrite(step, release, places)
        if step.resumes and progress.was_done_otherwise(step):
            raise BadRelease(f"The step '{step.name}' was done with other options or files. Remove {step.makes.parent} to train again.")
        run(step)
        progress.finish(step)


def main() -> None:
    arguments = parsed()
    folder = Path(arguments.release) if "/" in arguments.release else RELEASES / arguments.release
    work = arguments.work or TRAINING / "work" / folder.name
    data, authored, work, packs, golden = (
        path.resolve() for path in (arguments.data, arguments.authored, work, arguments.packs, arguments.golden)
    )
    backbone = arguments.backbone.folder.resolve() if arguments.backbone else None
    places = Places(data, authored, work, packs, None if arguments.no_golden else golden, backbone)
    try:
        release = read_release(folder.resolve())
        steps, progress = steps_of(release, places), Progress(places.work)
        plan(release, places, steps, progress)
        if not arguments.plan:
            places.work.mkdir(parents=True, exist_ok=True)
            make(release, places, steps, progress, arguments.overwrite_released_pack)
    except BadRelease as error:
        sys.exit(f"release: {error}")


if __name__ == "__main__":
    main()
