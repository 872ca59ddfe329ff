"""A data folder of a few hundred made-up rows in the three formats: enough to run every step of the recipe."""

import gzip
import json
import random
from pathlib import Path

from umpire_recipe.calibrate.questions import FACES
from umpire_recipe.prepare.holdout import SETS

ROWS_A_SET = 40
SHARED_TEXT = "This very text stands in two sets."
TRAINED = {"weather_or_food": ["weather", "food"], "colours": ["red", "blue", "green", "yellow"]}
PLACES = ("shop", "school", "station", "harbour", "library", "garden", "office", "clinic")
THINGS = ("lamp", "bicycle", "kettle", "letter", "ticket", "coat", "ladder", "map")
PEOPLE = ("Ana", "Ben", "Chidi", "Dora", "Emil", "Fatima", "Goran", "Hanna")


def write(path: Path, lines: list[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as stream:
        stream.writelines(f"{line}\n" for line in lines)


def write_sets(folder: Path, chance: random.Random) -> None:
    labels = TRAINED | {name: list(json.loads((FACES / f"{name}.json").read_text("utf-8"))["labels"]) for name in SETS}
    for name, among in labels.items():
        rows = [
            {"text": f"{chance.choice(PEOPLE)} wrote about {label} at the {chance.choice(PLACES)}, note {i}.", "label": label}
            for i, label in ((i, among[i % len(among)]) for i in range(max(ROWS_A_SET, len(among))))
        ]
        if name in (*TRAINED, SETS[0]):  # as in public sets, a text of a held-out set also stands in other sets
            rows.append({"text": SHARED_TEXT, "label": among[0]})
        write(folder / "cls" / "train" / f"{name}.jsonl.gz", [json.dumps(row) for row in rows])
    (folder / "cls" / "instructions.json").write_text(
        json.dumps({"train": {name: ["What is it about?"] for name in labels}, "eval": {}}), encoding="utf-8"
    )
    (folder / "cls" / "index.json").write_text(json.dumps([{"name": name, "licence": "CC0"} for name in labels]), encoding="utf-8")


def write_nli(folder: Path, chance: random.Random) -> None:
    for name in ("mnli_merged", "snli_cat", "rte_olora"):
        lines = []
        for _ in range(120):
            person, other, thing, place = *chance.sample(PEOPLE, 2), chance.choice(THINGS), chance.choice(PLACES)
            premise = f"{person} carried the {thing} to the {place}."
            lines += [
                f"entailment\t{premise}\tThe {thing} was carried.",
                f"contradiction\t{premise}\t{person} left the {thing} where it was.",
                f"neutral\t{premise}\t{other} was at the {place}.",
            ]
        write(folder / "nli" / "train" / f"{name}.train.tsv.gz", lines)


def write_decisions(folder: Path, chance: random.Random) -> None:
    rows = []
    for i in range(300):
        person, other = chance.sample(PEOPLE, 2)
        thing, count = chance.choice(THINGS), chance.randint(0, 2)
        questions = {
            "has": {"type": "noul", "instructions": f"Does {person} have the {thing}?", "criteria": None, "answer": True},
            "other": {
                "type": "noul",
                "instructions": f"Does {other} have the {thing}?",
                "criteria": {"false": "somebody else has it"},
                "answer": False,
            },
            "who": {"type": "choice", "instructions": "Who has it?", "criteria": {person: None, other: "the other one"}, "answer": person},
            "level": {"type": "score", "instructions": "How often was it lent?", "criteria": ["never", "once", "twice"], "answer": count},
        }
        state = f"Note {i}. {other} gave the {thing} to {person}. It was lent {('never', 'once', 'twice')[count]}."
        rows.append(json.dumps({"domain": "notes", "state": {"note": state} if i % 5 == 0 else state, "questions": questions}))
    write(folder / "decisions" / "train" / "notes.jsonl.gz", rows)


def write_small_data(folder: Path, seed: int = 0) -> Path:
    chance = random.Random(seed)
    write_sets(folder, chance)
    write_nli(folder, chance)
    write_decisions(folder, chance)
    return folder
