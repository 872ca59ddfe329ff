"""Trains a cross-encoder for natural language inference, and writes it as model hubs publish such models.

python -m umpire_recipe.pair --data <data> --out <folder> --minutes 12

It is an ordinary model of its kind, to find out how such models are best asked, and to test them with.
"""

import argparse
import sys
from pathlib import Path

import torch

from umpire_recipe.backbone.folder import add_backbone_option, own_backbone
from umpire_recipe.backbone.names import BERT
from umpire_recipe.pair.accuracy import accuracy, graph_accuracy
from umpire_recipe.pair.hub_folder import write_hub_folder
from umpire_recipe.pair.pairs import PairReader
from umpire_recipe.pair.run import BACKBONE, PACK, logits_of, started, train
from umpire_recipe.reading.tokenizer import TextTokenizer


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with nli; only its train folder is read")
    parser.add_argument("--out", type=Path, required=True, help="folder to write, in hub layout")
    parser.add_argument("--minutes", type=float, default=12, help="how long to train (default: 12)")
    add_backbone_option(parser, "tokenizer, shape, and the weights to start from")
    parser.add_argument(
        "--start", help="weights to start from: pack (umpire-2's, the default), backbone (the default with --backbone) or a checkpoint"
    )
    parser.add_argument("--batch-tokens", type=int, default=2048, help="tokens a step, padding included (default: 2048)")
    parser.add_argument("--rate", type=float, default=8e-5, help="highest learning rate (default: 8e-5)")
    parser.add_argument("--decay-from", type=float, default=0.3, help="share of the time after which the rate falls to zero (default: 0.3)")
    parser.add_argument("--mean", type=float, default=0.995, help="decay of the weights' running mean in a step (default: 0.995)")
    parser.add_argument("--threads", type=int, default=2, help="processors to use (default: 2)")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    arguments.start = arguments.start or (BACKBONE if arguments.backbone else PACK)
    return arguments


def main() -> None:
    arguments = parsed()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    backbone = arguments.backbone or own_backbone()
    if backbone.shape.names is not BERT:
        sys.exit("A cross-encoder starts from a backbone of BERT's kind.")
    reader, network = PairReader(arguments.data, TextTokenizer(backbone.tokenizer_json)), started(arguments.start, backbone)
    if len(network.word.weight) != backbone.shape.words:
        sys.exit("The weights to start from are of another backbone than the tokenizer.")
    train(network, reader, arguments)
    held_out = reader.tuned_on()
    right = accuracy(lambda batch: logits_of(network, batch), held_out)
    write_hub_folder(arguments.out, backbone, network, right, len(held_out), arguments.minutes)
    print(f"{right:.1%} of {len(held_out)} held-out MNLI pairs right")
    for name, share in graph_accuracy(arguments.out, held_out).items():
        print(f"{name}: {share:.1%}")
