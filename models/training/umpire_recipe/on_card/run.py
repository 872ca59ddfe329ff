"""Trains on the card's machine for some minutes, and writes what may come back.

python -m umpire_recipe.on_card.run --minutes 9 --out $OUT

Starts from what `pack` wrote, and needs nothing else but the repository. Writes to <out>, every two minutes, at SIGTERM and at the end:
  checkpoint-0 and on, checkpoint.json   the running mean of the weights in fp16, in pieces; `unpack` joins them
  figures.json                           the settings, the speed and, at the end, figures on the tuning split
  log.jsonl                              a line every 50 steps, ready to be plotted

What is too large for one return waits in work/on-card-rest: `rest` brings it back.

Training is first NLI, then everything, and hand-written questions come twice near the end. Fresh twins come throughout.
"""

import argparse
import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

from umpire_recipe.evaluate.judged import Judged, figures_by_name, table
from umpire_recipe.evaluate.scores import BATCH_TOKENS, logits_of_mix
from umpire_recipe.on_card.ahead import Ahead, mix_at
from umpire_recipe.on_card.crossed import crossed
from umpire_recipe.on_card.folder import MIX, ON_CARD, REST, SEALED, TOKENIZER, TUNING, Damaged, PackedFolder, restored
from umpire_recipe.on_card.limits import TooLarge
from umpire_recipe.on_card.pieces import check_returns, returned_bytes, write_pieces
from umpire_recipe.on_card.plan import Plan
from umpire_recipe.on_card.timed_run import TimedRun
from umpire_recipe.on_card.twins import FreshTwins
from umpire_recipe.train.batches import Mix
from umpire_recipe.train.loss import weight_a_token
from umpire_recipe.train.network import loaded, network_of
from umpire_recipe.train.run import FINISHED
from umpire_recipe.train.teacher import Teacher
from umpire_recipe.train.training_log import TrainingLog

SAVE_EVERY_S, PRINT_EVERY_S = 120, 15
READ_EVERY_STEPS = 10  # reading figures from the card makes the processor wait for it
CARD_BATCH_TOKENS, CARD_POOL = 65536, 60_000


def parsed(words: list[str] | None) -> argparse.Namespace:
    cores = os.cpu_count() or 2
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for what comes back")
    parser.add_argument("--packed", type=Path, default=ON_CARD, help="the folder that `pack` wrote (default: work/on-card)")
    parser.add_argument("--sealed", type=Path, default=SEALED, help="the sealed pack in the repository (default: models/umpire-2)")
    parser.add_argument("--rest", type=Path, default=REST, help="folder for what the first return has no room for")
    parser.add_argument("--minutes", type=float, required=True, help="wall-clock time for everything, evaluation included")
    parser.add_argument("--leave-seconds", type=float, default=60, help="of it, for the evaluation and the last save (default: 60)")
    parser.add_argument("--steps", type=int, help="stop after this many steps, for trials")
    parser.add_argument("--batch-tokens", type=int, default=CARD_BATCH_TOKENS, help="tokens a step, padding included (default: 65536)")
    parser.add_argument("--rate", type=float, default=6e-4, help="highest learning rate (default: 6e-4)")
    parser.add_argument("--decay-from", type=float, default=0.6, help="share of the time after which the rate falls to zero (default: 0.6)")
    parser.add_argument(
        "--quantise-from", type=float, default=0.85, help="share after which values are rounded as in int8; 1: never (default: 0.85)"
    )
    parser.add_argument("--nli-until", type=float, default=0.15, help="share up to which only NLI and twins are read (default: 0.15)")
    parser.add_argument(
        "--written-from", type=float, default=0.7, help="share after which hand-written questions come twice (default: 0.7)"
    )
    parser.add_argument("--twin-share", type=float, default=0.25, help="share of generated twins among all tokens (default: 0.25)")
    parser.add_argument(
        "--crossed-share",
        type=float,
        default=0.35,
        help="with a teacher: share of texts with others' questions among all tokens (default: 0.35)",
    )
    parser.add_argument("--twins-each", type=int, default=200, help="twins of each generator that are made at once (default: 200)")
    parser.add_argument("--round-tokens", type=int, default=20_000_000, help="tokens that are planned at once (default: 20 million)")
    parser.add_argument("--dropout", type=float, default=0.0, help="share of each layer's output that a step leaves out (default: 0)")
    parser.add_argument("--mean", type=float, default=0.998, help="decay of the weights' running mean in a step (default: 0.998)")
    parser.add_argument(
        "--batch-workers", type=int, default=max(1, cores // 2), help="processes that make batches (default: half the cores)"
    )
    parser.add_argument("--twin-workers", type=int, default=max(1, (cores - 1) // 2), help="processes that make twins")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, help="use torch.compile (default: on a card)")
    parser.add_argument("--seed", type=int, default=0, help="take another one for each run that goes on from an earlier one")
    arguments = parser.parse_args(words)
    if arguments.compile is None:
        arguments.compile = arguments.device == "cuda"
    return arguments


def crossed_part(mix: Mix, path: Path, tokens: int, number: int, chance: np.random.Generator) -> Path:
    """Writes texts with others' questions, about this many tokens, beside the mix of that path."""
    part = path.with_name(f"crossed-{number}.npz")
    np.savez(part, of=str(path), **crossed(mix, max(1, int(tokens / mix.lengths.mean())), chance))
    return part


def chosen_batches(
    run: TimedRun, mix: Mix, path: Path, twins: FreshTwins, arguments: argparse.Namespace
) -> Iterator[tuple[Path, list[int]]]:
    """Of each batch, the file of a mix and groups of it. Goes on for ever."""
    chance = np.random.default_rng(arguments.seed)
    plan, owed = Plan(mix, arguments.nli_until, arguments.written_from, chance), 0.0
    crossed_share = arguments.crossed_share if run.teacher else 0.0
    of_mix = 1 - arguments.twin_share - crossed_share
    for number in count():
        groups = plan.round(run.share, int(arguments.round_tokens * of_mix))
        batches = [(path, chosen) for chosen in mix.batches(chance, arguments.batch_tokens, groups, CARD_POOL)]
        if crossed_share:
            part = crossed_part(mix, path, int(arguments.round_tokens * crossed_share), number, chance)
            batches += [(part, chosen) for chosen in mix_at(part).batches(chance, arguments.batch_tokens, pool_size=CARD_POOL)]
        owed += arguments.round_tokens * arguments.twin_share
        while owed > 0:
            if not (part := twins.next_part()):
                owed = 0  # what is not there yet is not made up for
                break
            made = mix_at(part)
            batches += [(part, chosen) for chosen in made.batches(chance, arguments.batch_tokens, pool_size=CARD_POOL)]
            owed -= made.lengths.sum()
        for number in chance.permutation(len(batches)):
            yield batches[number]


class Returns:
    """Writes what may come back."""

    def __init__(self, run: TimedRun, arguments: argparse.Namespace, manifest: dict):
        self.run, self.out, self.keeps_words, self.saved = run, arguments.out, manifest["keepsWords"], time.monotonic()
        self.start, self.rest = None, None
        if manifest["returnsDifferences"]:
            self.start = {name: tensor.detach().clone() for name, tensor in run.network.state_dict().items()}
            self.rest = arguments.rest
        else:
            check_returns(returned_bytes(run.mean.tensors, self.keeps_words))
        settings = {name: str(value) if isinstance(value, Path) else value for name, value in vars(arguments).items()}
        device = torch.cuda.get_device_name() if arguments.device == "cuda" else "processor"
        self.facts = {"settings": settings, "device": device, "torch": torch.__version__, "layers": len(run.network.layers)}

    def write(self, **facts: object) -> None:
        self.facts |= {"step": self.run.step, "tokens": self.run.tokens, "share": round(self.run.share, 4)} | facts
        write_pieces(self.out, self.run.mean.tensors, self.keeps_words, self.start, self.rest)
        (self.out / "figures.json").write_text(json.dumps(self.facts, indent=1) + "\n", encoding="utf-8")
        self.saved = time.monotonic()


def train(run: TimedRun, chosen: Iterator, ahead: Ahead, mean_weight: float, returns: Returns, stopping: list[int]) -> int:
    """Trains until the time is over or a signal came. Returns tokens a second."""
    unread, printed = [], time.monotonic()
    with TrainingLog(returns.out / "log.jsonl", run.tokens) as log:
        for batch in ahead.batches(chosen, lambda: run.done or bool(stopping)):
            unread.append(run.learn(batch, mean_weight))
            if run.step % READ_EVERY_STEPS == 0 or run.done:
                for said in unread:
                    log.add(said)
                unread = []
            if run.done or log.is_due(run.step):
                log.write(run.step, run.tokens, run.network.quantised)
            if time.monotonic() - printed > PRINT_EVERY_S:
                speed, printed = log.tokens_a_second(run.tokens), time.monotonic()
                print(f"{run.share:4.0%}  step {run.step}  {run.tokens / 1e6:.1f}M tokens  {speed} tokens a second", flush=True)
            if time.monotonic() - returns.saved > SAVE_EVERY_S:
                returns.write(tokensASecond=log.tokens_a_second(run.tokens))
        return log.tokens_a_second(run.tokens)


def teacher_of(packed: PackedFolder, device: str) -> Teacher | None:
    if not (found := packed.teacher()):
        return None
    tensors, settings, ids = found
    return Teacher(
        network_of({name: torch.from_numpy(tensor) for name, tensor in tensors.items()}, settings), torch.from_numpy(ids), device
    )


def tuning_figures(packed: PackedFolder, run: TimedRun) -> dict[str, dict]:
    """Figures on the tuning split of the checkpoint as it comes back, plain and rounded as in int8."""
    arrays = restored(packed.content(TUNING))
    judged = [Judged(**one) for one in json.loads(arrays.pop("judged").tobytes())]
    run.publish(FINISHED)
    network, device = loaded(run.out / FINISHED).to(run.arguments.device), run.arguments.device
    batch_tokens, figures = CARD_BATCH_TOKENS if device == "cuda" else BATCH_TOKENS, {}
    for name, quantised in (("plain", False), ("rounded", True)):
        network.quantised = quantised
        figures[name] = figures_by_name(judged, logits_of_mix(network, Mix(arrays), device, batch_tokens))
    return figures


def main(words: list[str] | None = None) -> None:
    began, arguments, stopping = time.monotonic(), parsed(words), []
    before = signal.signal(signal.SIGTERM, lambda number, _: stopping.append(number))
    arguments.out.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    try:
        with tempfile.TemporaryDirectory() as name:
            work, packed = Path(name), PackedFolder(arguments.packed)
            keeps_words = packed.manifest["keepsWords"]
            arrays = restored(packed.content(MIX))
            np.savez(work / "mix.npz", **arrays)
            start, tokenizer = packed.start(arguments.sealed), work / TOKENIZER
            save_file(start, str(work / "start.safetensors"), metadata=packed.settings(start).metadata())
            tokenizer.write_bytes(packed.tokenizer(arguments.sealed))
            with (
                Ahead(context, arguments.batch_workers) as ahead,
                FreshTwins(context, arguments.twin_workers, arguments.twins_each, tokenizer, work, arguments.seed << 32) as twins,
            ):
                settings = vars(arguments) | {"out": work, "init": work / "start.safetensors"}
                run, mix = TimedRun(argparse.Namespace(**settings), keeps_words, teacher_of(packed, arguments.device)), Mix(arrays)
                mean_weight, returns = weight_a_token(mix), Returns(run, arguments, packed.manifest)
                chosen = chosen_batches(run, mix, work / "mix.npz", twins, arguments)
                if arguments.compile:
                    run.compile(
                        [mix.batch(next(mix.batches(np.random.default_rng(n), arguments.batch_tokens))) for n in (0, 1)], mean_weight
                    )
                twins.wait()
                print(f"{mix.size} groups, {mix.lengths.sum() / 1e6:.1f}M tokens; {time.monotonic() - began:.0f} s to begin", flush=True)
                run.start(began + arguments.minutes * 60 - arguments.leave_seconds)
                speed = train(run, chosen, ahead, mean_weight, returns, stopping)
            facts = {"tokensASecond": speed, "twinParts": twins.parts}
            returns.write(**facts, stopped=bool(stopping))
            print(f"step {run.step}, {run.tokens / 1e6:.1f}M tokens, {speed} tokens a second, {twins.parts} parts of twins", flush=True)
            if stopping:
                sys.exit("Stopped before the end. What was trained so far is saved.")
            figures = tuning_figures(packed, run)
            returns.write(tuning=figures)
            if returns.rest and (later := len(list(returns.rest.glob("return-*")))):
                print(f"{later + 1} returns: bring back the rest with on_card.rest, at once", flush=True)
            print(table(figures["plain"]), "\nrounded as in int8:", table(figures["rounded"]), sep="\n", flush=True)
    except (Damaged, TooLarge) as error:
        sys.exit(str(error))
    finally:
        signal.signal(signal.SIGTERM, before)


if __name__ == "__main__":
    main()
