"""Questions that are each asked of many texts, as a user asks one: what thresholds are fitted on.

They are about the held-out sets, in words that are not the sets' own: yes/no questions about a label, and choices among a set's labels. A
question has its wording, names and options once and for all; only the texts differ.
"""

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from umpire_recipe.calibrate.questions import FACES
from umpire_recipe.prepare.sources import set_rows

TEXTS = 40  # of each label
FEWEST = 10  # of a label with fewer, an error rate says too little


@dataclass(frozen=True)
class Asked:
    """A question, and the texts that it is asked of. source: its set. labels: of a choice, the label of each option, in order; of a noul,
    the one that yes stands for. rights: the label of each text."""

    source: str
    question: dict
    labels: list[str]
    texts: list[str]
    rights: list[str]


def groups_of(name: str, labels: list[str]) -> dict[str, list[str]]:
    """Labels that a user would choose among. Those of rasa_nlu name their domain: "mood: mood happy"."""
    groups: dict[str, list[str]] = {}
    for label in labels:
        groups.setdefault(f"{name}/{label.split(':')[0]}" if name == "rasa_nlu" else name, []).append(label)
    return {group: of for group, of in groups.items() if len(of) > 1}


def about_set(name: str, written: dict, rows: list[dict], chance: random.Random) -> Iterable[Asked]:
    """rows: of one set. Texts are the same in all questions about a label, since reading a text takes longer than a question about it."""
    faces = written["labels"]
    texts = {label: [row["text"] for row in rows if row["label"] == label] for label in sorted(faces)}
    drawn = {label: chance.sample(of, min(TEXTS, len(of))) for label, of in texts.items() if len(of) >= FEWEST}
    every = [(text, label) for label, of in drawn.items() for text in of]
    for label, of in drawn.items():
        # As many texts with yes as with no: a question whose answer is nearly always no is kept by whoever says nothing else.
        others = [one for one in every if one[1] != label]
        asked = [*((text, label) for text in of), *chance.sample(others, min(len(of), len(others)))]
        for wording in faces[label].get("asked", []):
            yield Asked(name, {"type": "noul", "instructions": wording}, [label], *zip_lists(asked))
    for group, labels in groups_of(name, list(drawn)).items():
        of_group = [(text, label) for text, label in every if label in labels]
        for number, instructions in enumerate(written["instructions"]):
            keys = {label: faces[label]["names"][number % len(faces[label]["names"])] for label in labels}
            criteria = {keys[label]: chance.choice(faces[label]["descriptions"]) if number % 2 else None for label in labels}
            if len(criteria) == len(labels):
                question = {"type": "choice", "instructions": instructions, "criteria": criteria}
                yield Asked(group, question, labels, *zip_lists(of_group))


def zip_lists(pairs: list[tuple[str, str]]) -> tuple[list[str], list[str]]:
    return [text for text, _ in pairs], [label for _, label in pairs]


def asked_of_many(data: Path, names: Iterable[str], seed: int = 0) -> list[Asked]:
    """names: of held-out sets."""
    made = []
    for name in names:
        written = json.loads((FACES / f"{name}.json").read_text("utf-8"))
        made += about_set(name, written, list(set_rows(data, name)), random.Random(f"{seed} {name}"))
    return made
