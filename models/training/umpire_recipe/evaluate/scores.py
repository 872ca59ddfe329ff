"""Scores many questions with a checkpoint, in batches, read as in training."""

import numpy as np
import torch

from umpire_recipe.evaluate.tuning import Labelled
from umpire_recipe.prepare.asked import NLI, Asked, Group
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.prepare.sources import asked_of
from umpire_recipe.reading.request_text import text_of
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.train.batches import Mix
from umpire_recipe.train.loss import entailment_scores
from umpire_recipe.train.network import Network

BATCH_TOKENS = 8192
WINDOWS = 8


@torch.inference_mode()
def logits_of(network: Network, groups: list[Group], device: str) -> list[np.ndarray | None]:
    """Logits [options, 3] of each group; None if its text is too long. Each group must hold one question."""
    packer = Packer(TextTokenizer())
    read = [packer.add(group)[0] > 0 for group in groups]
    places = np.flatnonzero(read)
    mix = Mix(packer.arrays())
    found: list[np.ndarray | None] = [None] * len(groups)
    network.eval()
    for chosen in mix.batches(np.random.default_rng(0), BATCH_TOKENS):
        batch = mix.batch(chosen).to(device)
        with torch.autocast(device, dtype=torch.bfloat16):
            logits = network(batch.ids, batch.positions, batch.types, batch.mask, batch.starts).float().cpu().numpy()
        counts = np.diff(mix.question_options_at)[mix.group_questions_at[chosen]]
        for index, part in zip(chosen, np.split(logits, np.cumsum(counts)[:-1]), strict=True):
            found[places[index]] = part
    return found


def question_scores(network: Network, labelled: list[Labelled], device: str) -> list[np.ndarray | None]:
    groups = [Group(text_of(one.state), [asked_of(one.question)], one.source, 382, WINDOWS) for one in labelled]
    return [
        None if logits is None else entailment_scores(torch.from_numpy(logits)).numpy() for logits in logits_of(network, groups, device)
    ]


def nli_logits(network: Network, rows: list[tuple[int, str, str]], device: str) -> list[np.ndarray | None]:
    groups = [Group(premise, [Asked(NLI, "", [hypothesis], labels=[label])], "nli", 382) for label, premise, hypothesis in rows]
    return logits_of(network, groups, device)
