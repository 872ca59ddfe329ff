"""Trains the network: python models/training/train --mix <folder> --out <folder> --tokens 20

<out>/log.jsonl (a line every 50 steps, made to be plotted), <out>/state.pt (everything to go on from, written every few minutes; and at SIGTERM;
started again with the same --out, training goes on from it), <out>/latest.safetensors (fp16; the running mean of the weights so far)
and, at the end, <out>/model.safetensors. bf16 arithmetic over fp32 weights, CPU or CUDA.
"""

import argparse
import hashlib
import json
import os
import signal
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent / name) for name in ("export", "prepare")]

from memory import keep_freed_memory  # noqa: E402

if __name__ == "__main__":
    keep_freed_memory()

import numpy as np  # noqa: E402
import torch  # noqa: E402
from safetensors.torch import save_file  # noqa: E402

from average import RunningMean  # noqa: E402
from batches import Batch, Mix  # noqa: E402
from log import Log  # noqa: E402
from loss import losses, weight_a_token  # noqa: E402
from network import Network, backbone, loaded  # noqa: E402
from schedule import learning_rate  # noqa: E402

SAVE_EVERY_S = 240
FINISHED, UNFINISHED = "model.safetensors", "latest.safetensors"
COUNTS = ("step", "tokens", "passes", "done_in_pass", "reads")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mix", type=Path, required=True, help="folder that prepare wrote")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--init", type=Path, help="checkpoint (safetensors) to start from; default: the backbone's own weights")
    parser.add_argument("--tokens", type=float, required=True, help="to train on, in millions, over as many passes of the mix as it takes")
    parser.add_argument("--batch-tokens", type=int, default=4096, help="padded tokens a step")
    parser.add_argument("--rate", type=float, default=2.5e-4, help="highest learning rate")
    parser.add_argument("--decay-from", type=float, default=0.6, help="share of the tokens after which the rate falls to zero")
    parser.add_argument("--quantise-from", type=float, default=0.85, help="share after which weights and activations are rounded as int8 will; 1: never")
    parser.add_argument("--dropout", type=float, default=0.0, help="share of what each layer adds that is left out of a step")
    parser.add_argument("--mean", type=float, default=0.9995, help="decay a step of the running mean of the weights")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


class Run:
    """A training run: everything that state.pt holds."""

    def __init__(self, arguments: argparse.Namespace):
        self.arguments, self.out = arguments, arguments.out
        torch.manual_seed(arguments.seed)
        self.network: Network = (loaded(arguments.init) if arguments.init else backbone()).to(arguments.device)
        self.network.dropout = arguments.dropout
        parameters = list(self.network.parameters())
        groups = [
            {"params": [p for p in parameters if p.ndim > 1], "weight_decay": 0.01},
            {"params": [p for p in parameters if p.ndim == 1], "weight_decay": 0.0},
        ]
        self.optimizer = torch.optim.AdamW(groups, lr=arguments.rate, betas=(0.9, 0.98), eps=1e-6, fused=True)
        self.mean = RunningMean(self.network, arguments.mean)
        self.step = self.tokens = self.passes = self.done_in_pass = 0
        self.reads = ""

    def save(self) -> None:
        state = {"network": self.network.state_dict(), "optimizer": self.optimizer.state_dict(), "mean": self.mean.tensors}
        state |= {name: getattr(self, name) for name in COUNTS}
        torch.save(state, self.out / "state.part")
        os.replace(self.out / "state.part", self.out / "state.pt")

    def resume(self) -> bool:
        path = self.out / "state.pt"
        if not path.exists():
            return False
        state = torch.load(path, map_location=self.arguments.device)
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.mean.tensors = state["mean"]
        for name in COUNTS:
            setattr(self, name, state[name])
        return True

    def reading(self, mix: Path) -> None:
        """A run that goes on with another mix, or with batches cut otherwise, begins a new pass."""
        reads = f"{hashlib.sha256(mix.read_bytes()).hexdigest()} {self.arguments.seed} {self.arguments.batch_tokens}"
        if self.reads not in ("", reads):
            print("another mix, seed or size of batches than before: a new pass begins", flush=True)
            self.passes, self.done_in_pass = self.passes + 1, 0
        self.reads = reads

    def publish(self, name: str) -> None:
        """The mean of the weights, as export reads it."""
        part = self.out / f"{name}.part"
        save_file({name: tensor.half().contiguous().cpu() for name, tensor in self.mean.tensors.items()}, str(part))
        os.replace(part, self.out / name)

    @property
    def done(self) -> bool:
        return self.tokens >= self.arguments.tokens * 1e6

    def learn(self, batch: Batch, mean_weight: float) -> dict[str, float]:
        """One step. mean_weight: of a token of the mix (loss.weight_a_token). Sums for the log."""
        arguments = self.arguments
        share = self.tokens / (arguments.tokens * 1e6)
        rate = learning_rate(arguments.rate, share, arguments.decay_from)
        self.network.quantised = share >= arguments.quantise_from
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        batch = batch.to(arguments.device)
        with torch.autocast(arguments.device, dtype=torch.bfloat16):
            logits = self.network(batch.ids, batch.positions, batch.types, batch.mask, batch.starts)
        total, said = losses(logits.float(), batch)
        # By the weight that such a batch has on average, not by its own: a question counts alike in a batch of few and in one of many.
        (total / (mean_weight * batch.tokens)).backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        self.optimizer.zero_grad(set_to_none=True)
        self.step, self.tokens = self.step + 1, self.tokens + batch.tokens
        self.mean.update(self.step)
        return {name: float(value) for name, value in said.items()} | {"rate": rate}


def main() -> None:
    arguments = parsed()
    arguments.out.mkdir(parents=True, exist_ok=True)
    mix, run = Mix(np.load(arguments.mix / "mix.npz")), Run(arguments)
    mean_weight = weight_a_token(mix)
    resumed = run.resume()
    run.reading(arguments.mix / "mix.npz")
    print(f"{mix.size} groups, {mix.lengths.sum() / 1e6:.1f}M tokens a pass; {'going on at' if resumed else 'from'} step {run.step}, on {arguments.device}", flush=True)
    stopping: list[int] = []
    signal.signal(signal.SIGTERM, lambda number, _: stopping.append(number))
    saved = time.monotonic()
    with Log(arguments.out / "log.jsonl", run.tokens) as log:
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
    print(f"step {run.step}, {run.tokens / 1e6:.1f}M tokens, {speed} a second", flush=True)
    if stopping:
        sys.exit("stopped before the end: start it again with the same --out, and it goes on")


if __name__ == "__main__":
    main()
