"""Where the recipe's files stand in the repository."""

from pathlib import Path

TRAINING = Path(__file__).resolve().parents[1]
AUTHORED = TRAINING / "authored"  # questions written for this project
RELEASES = TRAINING / "releases"  # one folder a released model
PACKS = TRAINING.parent  # released packs
GOLDEN_VECTORS = TRAINING.parents[1] / "test" / "golden"
