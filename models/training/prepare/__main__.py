"""Builds the training mix: python models/training/prepare --data <data> --out <folder>

Writes <folder>/mix.npz (see packed.py) and <folder>/mix.json: groups, questions and tokens by source, with each set's licence.
The same data, seed and sizes give the same mix.
"""

import argparse
import json
import random
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / "export"), str(HERE.parent)]

import classification  # noqa: E402
import decisions  # noqa: E402
import generated  # noqa: E402
import nli  # noqa: E402
from asked import Group  # noqa: E402
from long_states import with_long_states  # noqa: E402
from noise import noisy  # noqa: E402
from packed import Packer  # noqa: E402
from tokenizer import TextTokenizer  # noqa: E402
from written import AUTHORED  # noqa: E402

NOISE_SHARE, LONG_SHARE = 0.08, 0.06
OTHER_LICENCES = {"nli": "not recorded with the data", "decisions": "with the data, written for this project", "own": "Apache-2.0", "twins": "Apache-2.0", "sets": "Apache-2.0", "generated": "Apache-2.0"}


def licences(data: Path) -> dict[str, str]:
    """Of classification sets, by source; of all else, by the part of a source before the slash."""
    index = json.loads((data / "cls" / "index.json").read_text("utf-8"))
    return {f"cls/{entry['name']}": entry["licence"] for entry in index} | OTHER_LICENCES


def mixed(data: Path, arguments: argparse.Namespace, chance: random.Random) -> list[Group]:
    """Hand-written decisions are few and worth most: they come several times, their options in another order each time."""
    groups: list[Group] = []
    for _ in range(arguments.passes):
        groups += nli.groups(data, arguments.nli_share, chance)
        groups += classification.groups(data, arguments.rows, chance)
    for _ in range(arguments.decision_passes):
        groups += decisions.groups(data, arguments.authored, arguments.contrast, chance)
    groups += generated.groups(arguments.twins, chance)
    groups = with_long_states(groups, LONG_SHARE, chance)
    groups = [
        replace(group, state=noisy(group.state, group.source, chance)) if chance.random() < NOISE_SHARE and not group.source.startswith("nli/") else group
        for group in groups
    ]
    chance.shuffle(groups)
    return groups[: arguments.groups] if arguments.groups else groups


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with cls, nli and decisions; only their train folders are read")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--passes", type=int, default=1, help="over NLI and classification sets, each with other questions")
    parser.add_argument("--rows", type=int, default=900, help="of each classification set a pass")
    parser.add_argument("--nli-share", type=float, default=1, help="of the NLI premises a pass")
    parser.add_argument("--decision-passes", type=int, default=4)
    parser.add_argument("--twins", type=int, default=400, help="of each generator family")
    parser.add_argument("--contrast", type=float, default=0.0, help="share of the contrast twins of hand-written states to read (LOG.md says why none)")
    parser.add_argument("--authored", type=Path, default=AUTHORED, help="folder with the project's own questions")
    parser.add_argument("--groups", type=int, help="at most so many groups, for a try")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    chance = random.Random(arguments.seed)
    packer = Packer(TextTokenizer())
    counts: dict[str, Counter] = {}
    for group in mixed(arguments.data, arguments, chance):
        questions, tokens = packer.add(group)
        counts.setdefault(group.source, Counter()).update(groups=1 if questions else 0, questions=questions, tokens=tokens)
    packer.write(arguments.out / "mix.npz")
    licence = licences(arguments.data)
    by_source = {
        name: dict(count) | {"licence": licence.get(name.removesuffix(" (long)"), licence.get(name.split("/")[0]))} for name, count in sorted(counts.items())
    }
    total = sum((Counter(count) for count in counts.values()), Counter())
    (arguments.out / "mix.json").write_text(json.dumps({"total": total, "leftOut": packer.left_out, "sources": by_source}, indent=1) + "\n", encoding="utf-8")
    size = (arguments.out / "mix.npz").stat().st_size / 2**20
    print(f"{total['groups']} groups, {total['questions']} questions, {total['tokens'] / 1e6:.1f}M tokens, {size:.1f} MiB; {packer.left_out} questions too long")
    kinds = Counter()
    for name, count in counts.items():
        kinds[name.split("/")[0] + (" (long)" if name.endswith("(long)") else "")] += count["tokens"]
    print({name: f"{tokens / 1e6:.2f}M" for name, tokens in kinds.items()})


if __name__ == "__main__":
    main()
