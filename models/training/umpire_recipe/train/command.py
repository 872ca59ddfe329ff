"""Trains the network on a mix, from the backbone or from a checkpoint.

python -m umpire_recipe.train --mix <folder> --out <folder> --tokens 20

Arithmetic is bf16 over fp32 weights, on CPU or CUDA. Writes to <folder>:
  model.safetensors    the result: the running mean of the weights, fp16
  latest.safetensors   the same, before the end
  log.jsonl            a line every 50 steps, ready to be plotted
  state.pt             everything needed to go on, written every few minutes and at SIGTERM

Run it again with the same --out to continue a run that was stopped, with another mix if you like.
"""

import argparse
import signal
import sys
import time
from pathlib import Path

import numpy as np
import torch

from umpire_recipe.backbone.folder import add_backbone_option
from umpire_recipe.train.batches import Mix
from umpire_recipe.train.loss import weight_a_token
from umpire_recipe.train.run import FINISHED, UNFINISHED, Run
from umpire_recipe.train.training_log import TrainingLog

SAVE_EVERY_S = 240


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mix", type=Path, required=True, help="folder that prepare wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument(
        "--init",
        type=Path,
        help="checkpoint, or differences from the backbone (safetensors), to start from; default: the backbone's own weights",
    )
    add_backbone_option(parser, "the weights to start from, without --init or with differences")
    parser.add_argument(
        "--tokens", type=float, required=True, help="millions of tokens to train on, over as many passes of the mix as needed"
    )
    parser.add_argument("--batch-tokens", type=int, default=4096, help="tokens a step, padding included (default: 4096)")
    parser.add_argument("--rate", type=float, default=2.5e-4, help="highest learning rate (default: 2.5e-4)")
    parser.add_argument(
        "--decay-from", type=float, default=0.6, help="share of the tokens after which the rate falls to zero (default: 0.6)"
    )
    parser.add_argument(
        "--quantise-from",
        type=float,
        default=0.85,
        help="share after which weights and activations are rounded as in int8; 1: never (default: 0.85)",
    )
    parser.add_argument("--dropout", type=float, default=0.0, help="share of each layer's output that a step leaves out (default: 0)")
    parser.add_argument("--mean", type=float, default=0.9995, help="decay of the weights' running mean in a step (default: 0.9995)")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def main() -> None:
    arguments = parsed()
    arguments.out.mkdir(parents=True, exist_ok=True)
    mix, run = Mix(np.load(arguments.mix / "mix.npz")), Run(arguments)
    if max(mix.tokens.max(), *mix.special_tokens) >= len(run.network.word.weight):
        sys.exit("The mix has tokens that the network does not know: prepare it with the same --backbone.")
    mean_weight = weight_a_token(mix)
    resumed = run.resume()
    run.reading(arguments.mix / "mix.npz")
    begun = "continuing at" if resumed else "starting at"
    print(f"{mix.size} groups, {mix.lengths.sum() / 1e6:.1f}M tokens a pass; {begun} step {run.step} on {arguments.device}", flush=True)
    stopping: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopping.append(number))
    saved = time.monotonic()
    with TrainingLog(arguments.out / "log.jsonl", run.tokens) as log:
        while not (run.done or stopping):
            batches = list(mix.batches(np.random.default_rng((arguments.seed, run.passes)), arguments.batch_tokens))
            for chosen in batches[run.done_in_pass :]:
                log.add(run.learn(mix.batch(chosen), mean_weight))
                run.done_in_pass += 1
                if run.done or log.is_due(run.step):
                    log.write(run.step, run.tokens, run.network.quantised)
                if time.monotonic() - saved > SAVE_EVERY_S:
                    run.save()
                    run.publish(UNFINISHED)
                    saved = time.monotonic()
                if run.done or stopping:
                    break
            else:
                run.passes, run.done_in_pass = run.passes + 1, 0
        speed = log.tokens_a_second(run.tokens)
    run.save()
    run.publish(UNFINISHED if stopping else FINISHED)
    print(f"step {run.step}, {run.tokens / 1e6:.1f}M tokens, {speed} tokens a second", flush=True)
    if stopping:
        sys.exit("Stopped before the end. Run the same command again to continue.")
