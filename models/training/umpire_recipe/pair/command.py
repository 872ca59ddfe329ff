"""Trains a cross-encoder for natural language inference from the recipe's own backbone, and writes it as model hubs publish such models.

python -m umpire_recipe.pair --data <data> --out <folder> --minutes 12
"""

import argparse
from pathlib import Path

import torch

from umpire_recipe.pair.accuracy import graph_accuracy
from umpire_recipe.pair.hub_folder import write_hub_folder
from umpire_recipe.pair.pairs import PairReader
from umpire_recipe.pair.run import trained


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with nli; only its train folder is read")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=12, help="how long to train (default: 12)")
    parser.add_argument("--start", default="pack", help="weights to start from: pack (umpire-2's, the default), backbone, or a checkpoint")
    parser.add_argument("--batch-tokens", type=int, default=4096, help="tokens a step, padding included (default: 4096)")
    parser.add_argument("--rate", type=float, default=1e-4, help="highest learning rate (default: 1e-4)")
    parser.add_argument("--decay-from", type=float, default=0.3, help="share of the time after which the rate falls to zero (default: 0.3)")
    parser.add_argument("--mean", type=float, default=0.995, help="decay of the weights' running mean in a step (default: 0.995)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    arguments = parsed()
    torch.set_num_threads(arguments.threads)
    network, right, held_out = trained(arguments)
    print(f"{right:.1%} of {held_out} held-out MNLI pairs right", flush=True)
    write_hub_folder(arguments.out, network, right, held_out, arguments.minutes)
    # As it is used: by the int8 and the fp32 graph.
    for name, share in graph_accuracy(arguments.out, PairReader(arguments.data).tuned_on()).items():
        print(f"{name}: {share:.1%}")
