"""The tuning split as groups to be scored, and figures from their scores."""

from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from umpire_recipe.answering.probabilities import softmax
from umpire_recipe.evaluate.figures import figures_of
from umpire_recipe.evaluate.tuning import Labelled, hand_written, held_out_sets, hypotheses
from umpire_recipe.prepare.asked import NLI, Asked, Group
from umpire_recipe.prepare.sources import asked_of
from umpire_recipe.reading.request_text import in_javascript_order, text_of
from umpire_recipe.train.loss import entailment_scores

WINDOWS = 8


@dataclass(frozen=True)
class Judged:
    """How a question's scores count.

    figures: names of the figures that it is part of. keys: what each option stands for. answer: the right one of them. entails: whether its
    one option is a hypothesis, so that keys are the NLI labels. twin: as in Labelled.
    """

    figures: list[str]
    keys: list[str | int]
    answer: str | int
    entails: bool = False
    twin: str | None = None


def judged_question(labelled: Labelled) -> tuple[Group, Judged]:
    asked = asked_of(labelled.question)
    place, name = labelled.source.split("/")
    if place == "cls":
        keys = [key for key, _ in in_javascript_order(labelled.question["criteria"])]
        figures = [labelled.source]
    else:
        keys = list(range(len(asked.options)))
        figures = [f"{place} {labelled.question['type']}", f"{place}, all types"]
    if "pairs" in name:
        figures.append("decisions, minimal pairs")
    if labelled.twin:
        figures.append("decisions, twins")
    judged = Judged(figures, keys, keys[asked.answer], twin=labelled.twin)
    return Group(text_of(labelled.state), [asked], labelled.source, 382, WINDOWS), judged


def judged_hypothesis(name: str, label: int, premise: str, hypothesis: str) -> tuple[Group, Judged]:
    group = Group(premise, [Asked(NLI, "", [hypothesis], labels=[label])], "nli", 382)
    return group, Judged([f"nli/{name}"], [0, 1, 2], label, entails=True)


def judged_split(data: Path, authored: Path) -> list[list[tuple[Group, Judged]]]:
    """The whole split, in parts that are scored one after another. Each group holds one question."""
    labelled = hand_written(data, authored) + held_out_sets(data)
    return [
        [judged_question(one) for one in labelled],
        *([judged_hypothesis(name, *row) for row in rows] for name, rows in hypotheses(data).items()),
    ]


def figures_by_name(judged: list[Judged], logits: list[np.ndarray | None]) -> dict[str, dict[str, float]]:
    """logits [options, 3] of each question, None if it was too long. Adds the mean over the classification sets, and how often both of two
    twins whose answers differ are right."""
    answers: dict[str, list[tuple]] = defaultdict(list)
    twins: dict[str, list[tuple]] = defaultdict(list)
    for one, scored in zip(judged, logits, strict=True):
        if scored is None:
            continue
        p = softmax(scored[0] if one.entails else entailment_scores(torch.from_numpy(scored)).numpy())
        answer = (one.answer, one.keys[int(p.argmax())], float(p.max()))
        for name in one.figures:
            answers[name].append(answer)
        if one.twin:
            twins[one.twin].append(answer)
    figures = {name: figures_of(*zip(*entries, strict=True)) for name, entries in sorted(answers.items())}
    both = [all(right == said for right, said, _ in pair) for pair in twins.values() if len({right for right, _, _ in pair}) > 1]
    if both:
        figures["decisions, both of two twins"] = {"n": len(both), "accuracy": float(np.mean(both))}
    sets = [figure for name, figure in figures.items() if name.startswith("cls/")]
    figures["cls, mean of sets"] = {key: float(np.mean([figure[key] for figure in sets])) for key in sets[0]}
    return figures


def table(figures: dict[str, dict[str, float]]) -> str:
    """A line for each name."""
    return "\n".join(
        f"{name:28} " + "  ".join(f"{key} {value:.3f}" if key != "n" else f"n {value:5.0f}" for key, value in figure.items())
        for name, figure in figures.items()
    )
