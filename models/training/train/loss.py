"""What training minimises, and the shares of right answers that tell how it goes."""

import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, nll_loss

from asked import NLI
from batches import Batch, Mix
from nli import NOT_ENTAILMENT

NLI_WEIGHT = 0.5  # a hypothesis against a question
ABSOLUTE_WEIGHT = 0.2  # binary cross-entropy of each option: a score then means something by itself, as "none of these" needs


def entailment_scores(logits: Tensor) -> Tensor:
    """[K,3] -> [K] log-odds of entailment, as the engine has them."""
    return logits[:, 0] - torch.logsumexp(logits[:, 1:], 1)


def weight_a_token(mix: Mix) -> float:
    """What a token of the mix counts for on average: every question is worth 1, every hypothesis NLI_WEIGHT."""
    return float((mix.question_kind != NLI).sum() + NLI_WEIGHT * (mix.option_label >= 0).sum()) / float(mix.lengths.sum())


def nli_loss(logits: Tensor, labels: Tensor) -> Tensor:
    """Sum over hypotheses. Where a set only says "not entailed", neutral and contradiction together."""
    chances = torch.log_softmax(logits, -1)
    denied = torch.logaddexp(chances[:, 1], chances[:, 2])
    two_way = labels == NOT_ENTAILMENT
    return nll_loss(chances[~two_way], labels[~two_way], reduction="sum") - denied[two_way].sum()


def question_scores(scores: Tensor, option_at: Tensor) -> Tensor:
    """[K] -> [Q,M]; missing options far below all others."""
    return scores[option_at.clamp_min(0)].masked_fill(option_at < 0, -1e4)


def losses(logits: Tensor, batch: Batch) -> tuple[Tensor, dict[str, Tensor]]:
    """The batch's summed loss, and for the log sums by kind of loss, questions and right answers."""
    said = {}
    total = logits.sum() * 0
    hypotheses = batch.labels >= 0
    if hypotheses.any():
        nli = nli_loss(logits[hypotheses], batch.labels[hypotheses])
        total = total + NLI_WEIGHT * nli
        said |= {"nli_loss": nli.detach(), "nli": hypotheses.sum()}
    asked = batch.kinds != NLI
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
