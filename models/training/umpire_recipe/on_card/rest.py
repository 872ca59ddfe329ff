"""Brings back what the first return of a run had no room for. Run it on the card's machine, soon after the run.

python -m umpire_recipe.on_card.rest --out $OUT

A run says how many returns there are. The second one is the default.
"""

import argparse
import shutil
import sys
from pathlib import Path

from umpire_recipe.on_card.folder import REST
from umpire_recipe.on_card.pieces import return_name


def main(words: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for what comes back")
    parser.add_argument("--rest", type=Path, default=REST, help="folder where the run left it (default: work/on-card-rest)")
    parser.add_argument("--number", type=int, default=2, help="of the return (default: 2)")
    arguments = parser.parse_args(words)
    folder = arguments.rest / return_name(arguments.number)
    if not folder.is_dir():
        sys.exit(f"There is no return {arguments.number}.")
    arguments.out.mkdir(parents=True, exist_ok=True)
    for path in sorted(folder.iterdir()):
        shutil.copy(path, arguments.out / path.name)
        print(f"{path.name}: {path.stat().st_size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
