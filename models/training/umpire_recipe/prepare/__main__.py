"""Builds the training mix from the data folder, the project's own questions and the generators.

python -m umpire_recipe.prepare --data <data> --out <folder>

Writes <folder>/mix.npz (see packed.py), and <folder>/mix.json: groups, questions and tokens of each source, with licences.
The same data, seed and options give the same mix.
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path

from umpire_recipe.backbone.folder import add_backbone_option, own_backbone
from umpire_recipe.prepare.mixing import add_options, mixed
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.reading.tokenizer import TextTokenizer

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


def parsed(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with cls, nli and decisions; only their train folders are read")
    parser.add_argument("--out", type=Path, required=True)
    add_backbone_option(parser, "the tokenizer")
    add_options(parser)
    return parser.parse_args(words)


def main() -> None:
    arguments = parsed()
    arguments.out.mkdir(parents=True, exist_ok=True)
    packer = Packer(TextTokenizer((arguments.backbone or own_backbone()).tokenizer_json))
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
