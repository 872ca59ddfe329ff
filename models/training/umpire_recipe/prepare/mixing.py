"""Which questions a training mix holds, and how many of each source."""

import argparse
import random
from pathlib import Path

from umpire_recipe.folders import AUTHORED
from umpire_recipe.prepare import classification, decisions, generated_twins, nli
from umpire_recipe.prepare.asked import Group
from umpire_recipe.prepare.long_states import with_long_states
from umpire_recipe.prepare.noise import with_noise

NOISE_SHARE, LONG_SHARE = 0.08, 0.06


def add_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options that `mixed` reads."""
    parser.add_argument(
        "--passes", type=int, default=1, help="passes over NLI and classification sets, each with different questions (default: 1)"
    )
    parser.add_argument("--rows", type=int, default=900, help="rows of each classification set in a pass (default: 900)")
    parser.add_argument("--nli-share", type=float, default=1, help="share of the NLI premises in a pass, 0 to 1 (default: 1)")
    parser.add_argument("--decision-passes", type=int, default=4, help="passes over hand-written questions (default: 4)")
    parser.add_argument(
        "--written-twin-passes",
        type=int,
        default=0,
        help="more passes over hand-written twins, beside those over all hand-written questions",
    )
    parser.add_argument("--twins", type=int, default=400, help="pairs of states from each generator (default: 400)")
    parser.add_argument("--authored", type=Path, default=AUTHORED, help="folder with the project's own questions")
    parser.add_argument("--groups", type=int, help="upper limit for the number of groups, for trials")
    parser.add_argument("--seed", type=int, default=0)


def mixed(data: Path, arguments: argparse.Namespace, chance: random.Random) -> list[Group]:
    """All groups in random order. Hand-written decisions are few and worth most, so they are repeated with their options reordered."""
    groups: list[Group] = []
    for _ in range(arguments.passes):
        groups += nli.groups(data, arguments.nli_share, chance)
        groups += classification.groups(data, arguments.rows, chance)
    for _ in range(arguments.decision_passes):
        groups += decisions.groups(data, arguments.authored, chance)
    for _ in range(arguments.written_twin_passes):
        groups += decisions.groups(data, arguments.authored, chance, twins_alone=True)
    groups += generated_twins.groups(arguments.twins, chance)
    groups = with_long_states(groups, LONG_SHARE, chance)
    groups = with_noise(groups, NOISE_SHARE, chance)
    chance.shuffle(groups)
    return groups[: arguments.groups] if arguments.groups else groups
