"""Questions with known answers, in the product's own form, from the training data that the pilot's training left over."""

import gzip
import json
import random
from dataclasses import dataclass
from pathlib import Path

from text import Json, in_order

# Written after the pilot was trained, so it has seen none of them. They hold no score questions.
UNSEEN_DECISIONS = [*(f"authored-pairs{i}" for i in (1, 2, 3)), *(f"authored-schemes{letter}" for letter in "EFGH")]
# Large classification sets: the pilot saw about a third of most of them, three fifths of the smallest. Rows drawn, by number of labels.
CHOICES = {
    **dict.fromkeys(("clickbait", "customer_reviews_cr", "dreaddit_stress", "edos_sexism", "mpqa_opinion", "qqp", "sms_spam", "tweet_irony", "tweet_offensive"), 50),
    **dict.fromkeys(("css_figurative_type", "edos_sexism_category", "davidson_hate"), 40),
    **dict.fromkeys(("isear_emotion", "reuters_r8", "satd_comments", "sgd_next_action", "snips"), 40),
    **dict.fromkeys(("20newsgroups", "bitext_intent", "clinc_domain", "dbpedia14", "goemotions", "sgd_domain", "sgd_user_act"), 40),
    **dict.fromkeys(("clinc150", "metatool", "sgd_intent"), 100),
}
# Sets whose labels have an order, asked as scores.
SCORES = {
    "amazon5": (300, ["very negative", "negative", "neutral", "positive", "very positive"]),
    **dict.fromkeys(("empathy_emotional_reaction", "empathy_exploration", "empathy_interpretation"), (80, ["none", "weak", "strong"])),
}
PAIRS = 900  # of 4,494: as many as there are other yes/no questions. They are harder than most: almost the same words, opposite answers.


@dataclass(frozen=True)
class Labelled:
    """answer: index of the right criterion in the order in which they are read; for a noul 0 is yes and 1 is no."""

    state: Json
    question: dict
    answer: int
    source: str


def rows(path: Path) -> list[dict]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def answer_index(question: dict) -> int:
    if question["type"] == "choice":
        return [key for key, _ in in_order(question["criteria"])].index(question["answer"])
    return question["answer"] if question["type"] == "score" else int(not question["answer"])


def decisions(data: Path, name: str) -> list[Labelled]:
    found = rows(data / "decisions" / "train" / f"{name}.jsonl.gz")
    return [Labelled(row["state"], question, answer_index(question), name) for row in found for question in row["questions"].values()]


def classifications(data: Path, name: str, count: int, levels: list[str] | None, chance: random.Random) -> list[Labelled]:
    """Rows of a classification set: a choice among all its labels, or a score over `levels` (its labels in order)."""
    folder = data / "cls" / "train"
    found = rows(folder / f"{name}.jsonl.gz")
    labels = levels or sorted({row["label"] for row in found})
    described_at = folder / f"{name}.labels.json"
    described = json.loads(described_at.read_text("utf-8")) if described_at.exists() else {}
    asked = json.loads((data / "cls" / "instructions.json").read_text("utf-8"))["train"][name]
    labelled = []
    for row in chance.sample(found, min(count, len(found))):
        question = {"type": "choice", "instructions": chance.choice(asked), "criteria": {label: described.get(label) for label in labels}}
        if name in SCORES:
            question |= {"type": "score", "criteria": [described.get(label) or label for label in labels]}
        labelled.append(Labelled(row["text"], question, labels.index(row["label"]), name))
    return labelled


def held_out(data: Path, seed: int = 0) -> list[Labelled]:
    chance = random.Random(seed)
    by_source = {name: decisions(data, name) for name in UNSEEN_DECISIONS}
    pairs = [labelled for name, found in by_source.items() if "pairs" in name for labelled in found]
    chosen = chance.sample(pairs, min(PAIRS, len(pairs)))
    chosen += [labelled for name, found in by_source.items() if "pairs" not in name for labelled in found]
    for name, count in CHOICES.items():
        chosen += classifications(data, name, count, None, chance)
    for name, (count, levels) in SCORES.items():
        chosen += classifications(data, name, count, levels, chance)
    return chosen
