"""Builds the training mix from the data folder, the project's own questions and the generators.

python -m umpire_recipe.prepare --data <data> --out <folder>

Writes <folder>/mix.npz (see packed.py), and <folder>/mix.json: groups, questions and tokens of each source, with licences.
The same data, seed and options give the same mix.
"""

import argparse
import json
import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

from umpire_recipe.folders import AUTHORED
from umpire_recipe.prepare import classification, decisions, generated_twins, nli
from umpire_recipe.prepare.asked import Group
from umpire_recipe.prepare.long_states import with_long_states
from umpire_recipe.prepare.noise import noisy
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.reading.tokenizer import TextTokenizer

NOISE_SHARE, LONG_SHARE = 0.08, 0.06
OTHER_LICENCES = {
    "nli": "not recorded with the data",
    "decisions": "with the data, written for this project",
    "own": "Apache-2.0",
    "sets": "Apache-2.0",
    "generated": "Apache-2.0",
}


def licences(data: Path) -> dict[str, str]:
    """Licences by source for classification sets, and for the rest by the part of the source before the slash."""
    index = json.loads((data / "cls" / "index.json").read_text("utf-8"))
    return {f"cls/{entry['name']}": entry["licence"] for entry in index} | OTHER_LICENCES


def mixed(data: Path, arguments: argparse.Namespace, chance: random.Random) -> list[Group]:
    """All groups in random order. Hand-written decisions are few and worth most, so they are repeated with their options reordered."""
    groups: list[Group] = []
    for _ in range(arguments.passes):
        groups += nli.groups(data, arguments.nli_share, chance)
        groups += classification.groups(data, arguments.rows, chance)
    for _ in range(arguments.decision_passes):
        groups += decisions.groups(data, arguments.authored, chance)
    groups += generated_twins.groups(arguments.twins, chance)
    groups = with_long_states(groups, LONG_SHARE, chance)
    groups = [
        replace(group, state=noisy(group.state, group.source, chance))
        if chance.random() < NOISE_SHARE and not group.source.startswith("nli/")
        else group
        for group in groups
    ]
    chance.shuffle(groups)
    return groups[: arguments.groups] if arguments.groups else groups


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with cls, nli and decisions; only their train folders are read")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--passes", type=int, default=1, help="passes over NLI and classification sets, each with different questions (default: 1)"
    )
    parser.add_argument("--rows", type=int, default=900, help="rows of each classification set in a pass (default: 900)")
    parser.add_argument("--nli-share", type=float, default=1, help="share of the NLI premises in a pass, 0 to 1 (default: 1)")
    parser.add_argument("--decision-passes", type=int, default=4, help="passes over hand-written questions (default: 4)")
    parser.add_argument("--twins", type=int, default=400, help="pairs of states from each generator (default: 400)")
    parser.add_argument("--authored", type=Path, default=AUTHORED, help="folder with the project's own questions")
    parser.add_argument("--groups", type=int, help="upper limit for the number of groups, for trials")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    arguments = parsed()
    arguments.out.mkdir(parents=True, exist_ok=True)
    packer = Packer(TextTokenizer())
    counts: dict[str, Counter] = {}
    for group in mixed(arguments.data, arguments, random.Random(arguments.seed)):
        questions, tokens = packer.add(group)
        counts.setdefault(group.source, Counter()).update(groups=1 if questions else 0, questions=questions, tokens=tokens)
    packer.write(arguments.out / "mix.npz")
    licence = licences(arguments.data)
    by_source = {
        name: dict(count) | {"licence": licence.get(name.removesuffix(" (long)"), licence.get(name.split("/")[0]))}
        for name, count in sorted(counts.items())
    }
    total = sum((Counter(count) for count in counts.values()), Counter())
    described = {"total": total, "leftOut": packer.left_out, "sources": by_source}
    (arguments.out / "mix.json").write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    size = (arguments.out / "mix.npz").stat().st_size / 2**20
    print(f"{total['groups']} groups, {total['questions']} questions, {total['tokens'] / 1e6:.1f}M tokens, {size:.1f} MiB")
    print(f"{packer.left_out} questions left out because they are too long")
    kinds = Counter()
    for name, count in counts.items():
        kinds[name.split("/")[0] + (" (long)" if name.endswith("(long)") else "")] += count["tokens"]
    print("tokens:", ", ".join(f"{name} {tokens / 1e6:.2f}M" for name, tokens in kinds.items()))


if __name__ == "__main__":
    main()
