"""Scores of many questions by a checkpoint, in batches, as training reads them."""

import numpy as np
import torch

from asked import NLI, Asked, Group
from batches import Mix
from loss import entailment_scores
from network import Network
from packed import Packer
from sources import asked_of
from text import text_of
from tokenizer import TextTokenizer
from tuning import Labelled

BATCH_TOKENS = 8192
WINDOWS = 8


@torch.inference_mode()
def logits_of(network: Network, groups: list[Group], device: str) -> list[np.ndarray | None]:
    """[options, 3] of each group, which holds one question each; None where it was too long to be read."""
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
        for index, part in zip(chosen, np.split(logits, np.cumsum(counts)[:-1])):
            found[places[index]] = part
    return found


def question_scores(network: Network, labelled: list[Labelled], device: str) -> list[np.ndarray | None]:
    groups = [Group(text_of(one.state), [asked_of(one.question)], one.source, 382, WINDOWS) for one in labelled]
    return [None if logits is None else entailment_scores(torch.from_numpy(logits)).numpy() for logits in logits_of(network, groups, device)]


def nli_logits(network: Network, rows: list[tuple[int, str, str]], device: str) -> list[np.ndarray | None]:
    groups = [Group(premise, [Asked(NLI, "", [hypothesis], labels=[label])], "nli", 382) for label, premise, hypothesis in rows]
    return logits_of(network, groups, device)
