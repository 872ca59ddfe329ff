"""From which probability on an answer can be acted on: a promise that most questions keep, each for itself.

A threshold is fitted over questions, not over answers: of the questions with an answer to act on, at least SHARE must keep the error rate
among those answers, with CONFIDENCE. That is the one-sided, distribution-free tolerance bound (Wilks 1941; Murphy 1948 for more than the
extreme values): with n questions of which b break the rate, P(Binomial(n, 1 - SHARE) <= b) <= 1 - CONFIDENCE. Thresholds are tested from
the surest answers on until one fails: a fixed sequence, in which many tests cost no confidence (Angelopoulos et al. 2021, "Learn then
test"). All those answers together must keep the rate, too, and so must the hand-written questions, which each have one text, by the exact
binomial test (Clopper and Pearson 1934).

What the bound does not know: several questions are about the same set, and lean on one another.

python -m umpire_recipe.calibrate.thresholds --pack <folder> --data <data> --without edos_sexism --calibration <json>

fits them for a pack that is calibrated already, and writes them into its release's calibration.json.
"""

import argparse
import json
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from umpire_recipe.answering.decider import Decider, read_manifest
from umpire_recipe.answering.probabilities import probabilities
from umpire_recipe.answering.session import PackSession
from umpire_recipe.calibrate.accuracy import FEWER
from umpire_recipe.calibrate.asked_of_many import Asked, asked_of_many
from umpire_recipe.calibrate.temperatures import BUCKETS
from umpire_recipe.export.pack import json_text
from umpire_recipe.prepare.holdout import SETS

RATES = (0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3)  # a question has too few answers here to tell lower ones
SHARE = 0.9  # of questions that must keep the rate
CONFIDENCE = 0.9
SUBSETS = 4  # of a question's options, from each range of numbers of options
STEPS = [round(1 - step / 100, 2) for step in range(1, 50)]  # thresholds that are tried, the highest first


@dataclass(frozen=True)
class Answered:
    """The answers to one question. group: `choice, up to 5`, `noul, yes`. p: of the likeliest option, [n]; wrong: [n], 0 or 1."""

    source: str
    group: str
    p: np.ndarray
    wrong: np.ndarray


def binomial(b: int, n: int, share: float) -> float:
    """P(Binomial(n, share) <= b)."""
    logs = (
        math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * math.log(share) + (n - k) * math.log1p(-share)
        for k in range(b + 1)
    )
    return sum(map(math.exp, logs))


def allows(n: int, b: int, share: float) -> bool:
    """Whether b of n says, with CONFIDENCE, that at most the share is bad."""
    return binomial(b, n, share) <= 1 - CONFIDENCE


def fewest(rate: float) -> int:
    """Answers, all of them right, that it takes to promise a rate; of questions, for the share that may break it."""
    return math.ceil(math.log(1 - CONFIDENCE) / math.log1p(-rate))


def counted(questions: list[Answered]) -> tuple[np.ndarray, np.ndarray]:
    """[steps, questions]: how many answers are at least so sure, and how many of those are wrong."""
    steps, sure, wrong = np.array(STEPS), [], []
    for question in questions:
        order = np.argsort(-question.p, kind="stable")
        counts = np.searchsorted(-question.p[order], -steps, side="right")
        sure.append(counts)
        wrong.append(np.concatenate([[0], np.cumsum(question.wrong[order])])[counts])
    return np.array(sure).T, np.array(wrong).T


def question_threshold(questions: list[Answered], rate: float) -> float | None:
    """Questions count that have an answer so sure. All such answers must keep the rate, too: a question with a single one says little."""
    if not questions:
        return None
    sure, wrong = counted(questions)
    least, threshold = fewest(1 - SHARE), None
    for step, acted, errors in zip(STEPS, sure, wrong, strict=True):
        promised = int((acted > 0).sum())
        # It starts where a broken question or two do not end it.
        if promised < 2 * least:
            continue
        broken = int((errors > rate * acted + 1e-9).sum())
        if not (allows(promised, broken, 1 - SHARE) and allows(int(acted.sum()), int(errors.sum()), rate)):
            break
        threshold = step
    return threshold


def answer_threshold(points: list[dict], rate: float) -> float | None:
    """The same of all answers together. points: as risk.py counts them."""
    least, threshold = fewest(rate), None
    start = max(least, min(2 * least, points[-1]["answers"] / 4))
    for point in points:
        if point["answers"] < start:
            continue
        if not allows(point["answers"], point["errors"], rate):
            break
        threshold = point["probability"]
    return threshold


def by_rate(questions: list[Answered], points: list[dict]) -> list[dict]:
    """Of each rate that can be promised and asks for less than the one before."""
    found: list[dict] = []
    for rate in RATES:
        both = [question_threshold(questions, rate), answer_threshold(points, rate)]
        if None in both:
            continue
        # Never more careful than for fewer errors, and rounded up.
        step = min([math.ceil(max(both) * 100) / 100, *(one["probability"] for one in found)])
        if step < 1 and (not found or step < found[-1]["probability"]):
            found.append({"maxErrorRate": rate, "probability": step})
    return found


def answers_of(asked: Asked, scores: np.ndarray, calibration: dict, chance: random.Random) -> Iterable[Answered]:
    """scores: [texts, options]. A noul is counted by its answer; a choice also among fewer of its options, which do not see each other."""
    kind, rights = asked.question["type"], np.array(asked.rights)
    if kind == "noul":
        yes = np.array([probabilities(kind, one, calibration)[0] for one in scores])
        says_yes, is_yes = yes >= 0.5, rights == asked.labels[0]
        for name, said in (("yes", says_yes), ("no", ~says_yes)):
            yield Answered(asked.source, f"noul, {name}", np.maximum(yes, 1 - yes)[said], (says_yes != is_yes)[said].astype(int))
        return
    for kept in subsets(len(asked.labels), 1 if "/" in asked.source else SUBSETS, chance):
        labels = np.array(asked.labels)[kept]
        given = np.isin(rights, labels)
        p = np.array([probabilities(kind, one[kept], calibration) for one in scores[given]])
        group = f"choice, up to {next(most for most in BUCKETS if len(kept) <= most)}"
        yield Answered(asked.source, group, p.max(axis=1), (labels[p.argmax(axis=1)] != rights[given]).astype(int))


def subsets(options: int, of_each: int, chance: random.Random) -> list[list[int]]:
    every = [list(range(options))]
    for least, most in FEWER:
        if least < options:
            every += [sorted(chance.sample(range(options), chance.randint(least, min(most, options - 1)))) for _ in range(of_each)]
    return every


def thresholds(questions: list[Answered], risk: dict) -> dict:
    """The thresholds of a manifest; groups that can promise nothing are left out. risk: risk.py's counts."""
    found: dict = {}
    for most in BUCKETS:
        points = next((curve["points"] for curve in risk["choice"] if curve["maxOptions"] == most), None)
        listed = by_rate([one for one in questions if one.group == f"choice, up to {most}"], points) if points else []
        if not listed:
            break  # the next bucket's would speak for this one
        found.setdefault("choice", []).append({"maxOptions": most, "byRate": listed})
    for answer in ("yes", "no"):
        listed = by_rate([one for one in questions if one.group == f"noul, {answer}"], risk["noul"][0]["points"])
        if listed:
            found.setdefault("noul", {})[answer] = listed
    return found


def answered(decider: Decider, every: list[Asked]) -> list[np.ndarray]:
    """Scores of each question, [texts, options]. Each text is read once."""
    places: dict[str, list[tuple[int, int]]] = {}
    for index, asked in enumerate(every):
        for place, text in enumerate(asked.texts):
            places.setdefault(text, []).append((index, place))
    scores: list[list] = [[None] * len(asked.texts) for asked in every]
    for text, of_text in places.items():
        state = decider.network.read_state(decider.tokens(text, "stateTokens"))
        for index, place in of_text:
            scores[index][place] = decider.answer(state, every[index].question).scores
    return [np.array(of) for of in scores]


def fitted(decider: Decider, data: Path, calibration: dict, without: list[str], seed: int = 0) -> dict:
    """calibration: with temperatures and risk counts. without: held-out sets to leave out."""
    every, chance = asked_of_many(data, [name for name in SETS if name not in without]), random.Random(seed)
    scored = zip(every, answered(decider, every), strict=True)
    questions = [one for asked, scores in scored for one in answers_of(asked, scores, calibration, chance)]
    found = thresholds(questions, calibration["risk"])
    for group in sorted({one.group for one in questions}):
        of = [one for one in questions if one.group == group]
        right = 1 - np.concatenate([one.wrong for one in of]).mean()
        print(f"{group:18} {len(of):4} questions, {sum(len(one.p) for one in of):6} answers, right {right:.3f}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pack", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True, help="folder with cls; only the held-out sets of its train folder are read")
    parser.add_argument("--calibration", type=Path, required=True, help="the release's calibration.json, with temperatures and risk counts")
    parser.add_argument("--without", action="append", default=[], help="held-out set to leave out, because the model has seen its texts")
    arguments = parser.parse_args()
    calibration, manifest = json.loads(arguments.calibration.read_text("utf-8")), read_manifest(arguments.pack)
    decider = Decider(arguments.pack, manifest, PackSession(arguments.pack, manifest, "int8"))
    calibration["thresholds"] = fitted(decider, arguments.data, calibration, arguments.without)
    print(json.dumps(calibration["thresholds"]))
    arguments.calibration.write_text(json_text(calibration), encoding="utf-8")


if __name__ == "__main__":
    main()
