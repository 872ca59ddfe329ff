"""The loss that training minimises, and counts of right answers for the log."""

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, nll_loss

from umpire_recipe.prepare.asked import NLI
from umpire_recipe.prepare.nli import NOT_ENTAILMENT
from umpire_recipe.train.batches import UNKNOWN, Batch, Mix

NLI_WEIGHT = 0.5  # of a hypothesis; a question has weight 1
ABSOLUTE_WEIGHT = 0.2  # of each option's binary cross-entropy, which gives single scores a meaning, as "none of these" needs


def entailment_scores(logits: Tensor) -> Tensor:
    """Logits [K,3] -> log-odds of entailment [K], as in the engine."""
    return logits[:, 0] - torch.logsumexp(logits[:, 1:], 1)


def weight_a_token(mix: Mix) -> float:
    """Average weight of a token in the mix: every question weighs 1, every hypothesis NLI_WEIGHT."""
    return float((mix.question_kind != NLI).sum() + NLI_WEIGHT * (mix.option_label >= 0).sum()) / float(mix.lengths.sum())


def nli_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Cross-entropy summed over hypotheses. "Not entailed" counts as neutral and contradiction together."""
    chances = torch.log_softmax(logits, -1)
    denied = torch.logaddexp(chances[:, 1], chances[:, 2])
    two_way = labels == NOT_ENTAILMENT
    return nll_loss(chances[~two_way], labels[~two_way], reduction="sum") - denied[two_way].sum()


def question_scores(scores: Tensor, option_at: Tensor) -> Tensor:
    """Scores [K] -> [Q,M], with missing options far below all others."""
    return scores[option_at.clamp_min(0)].masked_fill(option_at < 0, -1e4)


def losses(logits: Tensor, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
    """The batch's summed loss against known answers, and sums for the log: losses by kind, questions and right answers."""
    said = {}
    total = logits.sum() * 0
    hypotheses = batch.labels >= 0
    if hypotheses.any():
        nli = nli_loss(logits[hypotheses], batch.labels[hypotheses])
        total = total + NLI_WEIGHT * nli
        said |= {"nli_loss": nli.detach(), "nli": hypotheses.sum()}
    asked = (batch.kinds != NLI) & (batch.answers != UNKNOWN)
    if asked.any():
        option_at, answers = batch.option_at[asked], batch.answers[asked]
        scores = entailment_scores(logits)
        by_question = question_scores(scores, option_at)
        relative = cross_entropy(by_question, answers, reduction="none")
        targets = torch.zeros_like(by_question).scatter_(1, answers[:, None], 1)
        there = option_at >= 0
        absolute = binary_cross_entropy_with_logits(by_question, targets, reduction="none").masked_fill(~there, 0).sum(1) / there.sum(1)
        total = total + relative.sum() + ABSOLUTE_WEIGHT * absolute.sum()
        right = by_question.argmax(1) == answers
        said |= {"question_loss": relative.sum().detach(), "questions": asked.sum(), "right": right.sum()}
    return total, said
