"""NLI pairs, grouped by premise, as hypotheses, as yes/no questions and as choices of the statement that follows."""

import random
from collections import defaultdict
from pathlib import Path

from umpire_recipe.prepare.asked import CHOICE, NLI, NOUL, Asked, Group
from umpire_recipe.prepare.holdout import is_held_out
from umpire_recipe.prepare.sources import nli_rows

ENTAILMENT, NEUTRAL, CONTRADICTION, NOT_ENTAILMENT = range(4)
LABELS = {"entailment": ENTAILMENT, "neutral": NEUTRAL, "contradiction": CONTRADICTION, "not_entailment": NOT_ENTAILMENT}

CORE = ("mnli_merged", "lingnli_litl_lots", "lingnli_baseline", "snli_cat", "cad_snli")
CORE_HYPOTHESES = 5
OTHER_PREMISES = 700  # of each narrower set in a pass
LONG_PREMISES = {"curriculum_control": 60}  # few, because each is pages long
MOST_WINDOWS = 4
YES_NO_SHARE = 0.35
CHOICE_SHARE = 0.5

STATED = ("{s}", "{s}", "{s}", "True or false: {s}", "Is this right? {s}", "Does this follow from the text? {s}")
CLAUSED = (
    "Is it true that {c}?",
    "Does the text say that {c}?",
    "Can one conclude that {c}?",
    "Is it the case that {c}?",
    "According to the text, {c}?",
    "Does it follow that {c}?",
)
DENIED = ("Is it false that {c}?", "Does the text rule out that {c}?", "Would it be wrong to say that {c}?")
FOLLOWS = (
    "Which statement follows from the text?",
    "Which of these is true?",
    "What can be concluded?",
    "Pick the statement that the text supports.",
    "",
)
DOES_NOT = ("Which statement contradicts the text?", "Which of these is false?", "Which one can't be true?")
LOWERED = frozenset(
    "the a an it they he she there this that these those some all no people his her their we you in on at most many both "
    "several two one".split()
)


def clause(sentence: str) -> str:
    """The sentence as it stands after "that": without full stop, and without the capital that only marked its beginning."""
    trimmed = sentence.strip().rstrip(".!? ")
    first = trimmed.split(" ", 1)[0].lower()
    return trimmed[:1].lower() + trimmed[1:] if first in LOWERED else trimmed


def yes_no(hypothesis: str, label: int, chance: random.Random) -> Asked:
    """A yes/no question whose answer is yes if the hypothesis is entailed.

    "Is it false" is never asked about a neutral hypothesis, because the premise does not say.
    """
    if label in (ENTAILMENT, CONTRADICTION) and chance.random() < 0.15:
        return Asked(NOUL, chance.choice(DENIED).format(c=clause(hypothesis)), ["yes", "no"], 1 if label == ENTAILMENT else 0)
    pattern = chance.choice(STATED + CLAUSED if label in (ENTAILMENT, CONTRADICTION) else CLAUSED)
    return Asked(NOUL, pattern.format(s=hypothesis, c=clause(hypothesis)), ["yes", "no"], 0 if label == ENTAILMENT else 1)


def choices(pairs: list[tuple[int, str]], chance: random.Random) -> list[Asked]:
    """Choices among a premise's hypotheses, made where exactly one of them has the label asked for."""
    asked = []
    for label, patterns in ((ENTAILMENT, FOLLOWS), (CONTRADICTION, DOES_NOT)):
        texts = list(dict.fromkeys(hypothesis for _, hypothesis in pairs))
        right = [hypothesis for kind, hypothesis in pairs if kind == label]
        if len(right) == 1 and len(texts) >= 2 and chance.random() < CHOICE_SHARE:
            chance.shuffle(texts)
            asked.append(Asked(CHOICE, chance.choice(patterns), texts, texts.index(right[0])))
    return asked


def groups(data: Path, share: float, chance: random.Random) -> list[Group]:
    """share: of the premises to use, 0 to 1."""
    made = []
    for path in sorted((data / "nli" / "train").glob("*.gz")):
        name = path.name.split(".")[0]
        by_premise: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for label, premise, hypothesis in nli_rows(path):
            if label in LABELS and not is_held_out(premise):
                by_premise[premise].append((LABELS[label], hypothesis))
        premises = sorted(by_premise)
        chance.shuffle(premises)
        if name not in CORE:
            premises = premises[: LONG_PREMISES.get(name, OTHER_PREMISES)]
        for premise in premises[: round(share * len(premises))]:
            pairs = by_premise[premise]
            chance.shuffle(pairs)
            pairs = pairs[:CORE_HYPOTHESES]
            asked = [Asked(NLI, "", [hypothesis for _, hypothesis in pairs], labels=[label for label, _ in pairs])]
            if chance.random() < YES_NO_SHARE:
                label, hypothesis = chance.choice(pairs)
                asked.append(yes_no(hypothesis, label, chance))
            asked += choices(pairs, chance)
            made.append(Group(premise, asked, f"nli/{name}", 382, MOST_WINDOWS))
    return made
