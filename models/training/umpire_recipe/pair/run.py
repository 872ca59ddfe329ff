"""Trains the pair model for some minutes."""

import random
import time
from argparse import Namespace
from pathlib import Path

import torch
from torch import Tensor

from umpire_recipe.folders import PACKS
from umpire_recipe.on_card.weights import sealed_tensors
from umpire_recipe.pair.accuracy import accuracy
from umpire_recipe.pair.pairs import PairBatch, PairReader, batch_of, batches
from umpire_recipe.train.loss import nli_loss
from umpire_recipe.train.network import Network, backbone, loaded, network_of
from umpire_recipe.train.running_mean import RunningMean
from umpire_recipe.train.schedule import learning_rate

SAY_EVERY_STEPS = 20


def started(start: str) -> Network:
    """start: `pack`, `backbone`, or the path of a checkpoint."""
    if start == "backbone":
        return backbone()
    network = network_of(sealed_tensors(PACKS / "umpire-2")) if start == "pack" else loaded(Path(start))
    with torch.no_grad():
        # There the third type marks what is judged, and the second a question, which pairs do not have.
        network.typ.weight[1] = network.typ.weight[2]
    return network


def logits_of(network: Network, batch: PairBatch) -> Tensor:
    """[B,3] fp32 at the first token."""
    rows = torch.arange(len(batch.ids), device=batch.ids.device)
    seen = batch.mask[:, None, :].expand(-1, batch.ids.shape[1], -1)
    with torch.autocast(batch.ids.device.type, dtype=torch.bfloat16):
        return network(batch.ids, batch.positions, batch.types, seen, (rows, torch.zeros_like(rows)))


def trained(arguments: Namespace) -> tuple[Network, float, int]:
    """Trains until the minutes are over.

    Returns the running mean of the weights, its share of right labels on held-out pairs, and how many these are.
    """
    torch.manual_seed(arguments.seed)
    chance, reader = random.Random(arguments.seed), PairReader(arguments.data)
    network = started(arguments.start)
    parameters = list(network.parameters())
    groups = [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": 0.01},
        {"params": [p for p in parameters if p.ndim == 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=arguments.rate, betas=(0.9, 0.98), eps=1e-6, fused=True)
    mean = RunningMean(network, arguments.mean)
    tuning = reader.tuned_on()
    begun, step, tokens, total, seen = time.monotonic(), 0, 0, 0.0, 0
    share = 0.0
    while share < 1:
        pairs = reader.trained_on(chance)
        if step == 0:
            begun = time.monotonic()
            print(f"{len(pairs)} pairs, {sum(map(len, pairs)) / 1e6:.1f}M tokens a pass; {len(tuning)} held out", flush=True)
        for chosen in batches(pairs, arguments.batch_tokens, chance):
            share = (time.monotonic() - begun) / (60 * arguments.minutes)
            if share >= 1:
                break
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(arguments.rate, share, arguments.decay_from)
            batch = batch_of(chosen)
            loss = nli_loss(logits_of(network, batch), batch.labels) / len(chosen)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimizer.step()
            optimizer.zero_grad(set_to_none=True)
            step, tokens = step + 1, tokens + sum(map(len, chosen))
            total, seen = total + float(loss.detach()) * len(chosen), seen + len(chosen)
            mean.update(step)
            if step % SAY_EVERY_STEPS == 0:
                speed = round(tokens / (time.monotonic() - begun))
                print(f"step {step}: loss {total / seen:.3f}, {tokens / 1e6:.2f}M tokens, {speed} a second", flush=True)
                total, seen = 0.0, 0
    network.load_state_dict(mean.tensors)
    return network, accuracy(lambda batch: logits_of(network, batch), tuning), len(tuning)
