"""Scores many questions with a checkpoint, in batches, read as in training."""

import numpy as np
import torch

from umpire_recipe.prepare.asked import Group
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.train.batches import Mix
from umpire_recipe.train.network import Network

BATCH_TOKENS = 8192


def packed(groups: list[Group], tokenizer: TextTokenizer) -> tuple[dict[str, np.ndarray], list[bool]]:
    """The groups as the arrays of a mix, and for each whether it is part of it: too long texts are not."""
    packer = Packer(tokenizer)
    read = [packer.add(group)[0] > 0 for group in groups]
    return packer.arrays(), read


@torch.inference_mode()
def logits_of_mix(network: Network, mix: Mix, device: str, batch_tokens: int = BATCH_TOKENS) -> list[np.ndarray]:
    """Logits [options, 3] of each group. Each group must hold one question."""
    found: list[np.ndarray] = [np.zeros((0, 3))] * mix.size
    network.eval()
    for chosen in mix.batches(np.random.default_rng(0), batch_tokens):
        batch = mix.batch(chosen).to(device)
        with torch.autocast(device, dtype=torch.bfloat16):
            logits = network(batch.ids, batch.positions, batch.types, batch.mask, batch.starts).float().cpu().numpy()
        counts = np.diff(mix.question_options_at)[mix.group_questions_at[chosen]]
        for index, part in zip(chosen, np.split(logits, np.cumsum(counts)[:-1]), strict=True):
            found[index] = part
    return found


def logits_of(network: Network, groups: list[Group], tokenizer: TextTokenizer, device: str) -> list[np.ndarray | None]:
    """The same for groups that are not packed yet; None if a text is too long."""
    arrays, read = packed(groups, tokenizer)
    found = iter(logits_of_mix(network, Mix(arrays), device))
    return [next(found) if was_read else None for was_read in read]
