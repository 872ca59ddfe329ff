"""Rows of classification sets as several questions each, with varying options, names, descriptions and keys."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

from umpire_recipe.prepare.asked import CHOICE, NOUL, SCORE, Asked, Group, reordered
from umpire_recipe.prepare.holdout import SETS, is_held_out, texts_of_sets
from umpire_recipe.prepare.sources import set_descriptions, set_instructions, set_names, set_rows

FACES = Path(__file__).resolve().parent / "faces"
NONE_OF_THESE = ("none of these", "none of the above", "something else", "other", "no category fits")
ORDERED = {
    "amazon5": ["very negative", "negative", "neutral", "positive", "very positive"],
    "flipkart_laptop_rating": ["1 star", "2 stars", "3 stars", "4 stars", "5 stars"],
    "empathy_emotional_reaction": ["none", "weak", "strong"],
    "empathy_exploration": ["none", "weak", "strong"],
    "empathy_interpretation": ["none", "weak", "strong"],
}
YES = (
    "Is it {n}?",
    "{n}",
    "Is this {n}?",
    "Would the label {n} be right?",
    "The right label is {n}.",
    "Does {n} describe it?",
    "Is {n} the right answer?",
    "It fits: {d}",
    "Does this describe the text: {d}?",
)
ASKED_YES = ("{q} Is it {n}?", "{q} Is {n} right?", "{q} {n}?")
NO = (
    "Is it anything but {n}?",
    "Is {n} the wrong label here?",
    "Would it be wrong to file this under {n}?",
    "This is not about {n}.",
    "{n} is not the right label.",
)
STATE_TOKENS = ((0.6, 128), (0.9, 250), (1, 382))
MOST_OPTIONS = 60
# Labels with the same meaning are never wrong options for one another.
SAME = {"sgd_intent": (("lookup music", "lookup song"), ("play media", "play song"))}


@dataclass(frozen=True)
class Label:
    """A label. names: what it may be called, its own name first. descriptions: may be empty. statement: true of any text with the label."""

    names: list[str]
    descriptions: list[str]
    statement: str | None


def faces(data: Path, name: str) -> tuple[list[str], dict[str, Label]]:
    """A set's questions, and its labels with all their names and descriptions (faces/)."""
    path = FACES / f"{name}.json"
    written = json.loads(path.read_text("utf-8")) if path.exists() else {"instructions": [], "labels": {}}
    described = set_descriptions(data, name)
    labels = {}
    for label in sorted({row["label"] for row in set_rows(data, name)}):
        face = written["labels"].get(label, {})
        own = [described[label]] if label in described else []
        labels[label] = Label([label, *face.get("names", [])], [*own, *face.get("descriptions", [])], face.get("statement"))
    return [*set_instructions(data)[name], *written["instructions"]], labels


def option(label: Label, style: str, chance: random.Random) -> str:
    """A label as an option. style: `name` (a key alone), `both` (key and description) or `described` (only the description)."""
    name = label.names[0] if chance.random() < 0.4 else chance.choice(label.names)
    if style == "name" or not label.descriptions:
        return name
    description = chance.choice(label.descriptions)
    return description if style == "described" else f"{name}: {description}"


def count_of_options(available: int, chance: random.Random) -> int:
    """Mostly two to ten, sometimes many."""
    drawn = chance.randint(2, 10) if chance.random() < 0.85 else chance.randint(8, 30 if chance.random() < 0.8 else MOST_OPTIONS)
    return max(2, min(available, drawn))


def choice(
    right: Label,
    wrong: list[Label],
    strangers: list[Label],
    instructions: str,
    chance: random.Random,
    count: int | None = None,
    nameless: bool = True,
) -> Asked | None:
    """A choice among the right label and others. None if two options would have the same text.

    wrong: other labels that the text could have had. strangers: labels of other sets, to fill up. count: of options (default: random).
    nameless: allows descriptions without names, and choices where none of the options is right.
    """
    count = count or count_of_options(len(wrong) + 1 + (3 if chance.random() < 0.15 else 0), chance)
    others = chance.sample(wrong, min(len(wrong), count - 1))
    others += chance.sample(strangers, min(len(strangers), count - 1 - len(others)))
    style = chance.choices(("name", "both", "described"), (0.5, 0.25, 0.25 if nameless else 0))[0]
    if count > 16:
        style = "name"
    texts, answer = [option(right, style, chance)], 0
    texts += [option(other, style, chance) for other in others]
    if nameless and chance.random() < 0.12:
        texts.append(chance.choice(NONE_OF_THESE))
        if chance.random() < 0.45 and len(texts) > 2:
            del texts[0]  # the right option is missing, so "none of these" is right
            answer = len(texts) - 1
    if len(set(texts)) < len(texts):
        return None
    return reordered(Asked(CHOICE, instructions, texts, answer), chance)


def yes_no(right: Label, wrong: list[Label], instructions: str, chance: random.Random) -> Asked:
    """A yes/no question about the right label or a wrong one, asked or denied."""
    is_right = chance.random() < 0.5
    label = right if is_right else chance.choice(wrong)
    denied = chance.random() < 0.2
    name = chance.choice(label.names)
    quoted = f'"{name}"' if chance.random() < 0.5 else name
    if not denied and label.statement and chance.random() < 0.5:
        text = label.statement
    elif denied:
        text = chance.choice(NO).format(n=quoted)
    elif instructions and chance.random() < 0.4:
        text = chance.choice(ASKED_YES).format(n=quoted, q=instructions)
    else:
        text = chance.choice(YES).format(n=quoted, d=chance.choice(label.descriptions or [quoted]))
    return Asked(NOUL, text, ["yes", "no"], 0 if is_right != denied else 1)


def asked_of(
    row: dict,
    labels: dict[str, Label],
    asked_as: list[str],
    strangers: list[Label],
    ordered: list[str] | None,
    same_as: dict[str, tuple[str, ...]],
    chance: random.Random,
) -> list[Asked]:
    among = [label for label in row.get("options") or labels if label not in same_as.get(row["label"], (row["label"],))]
    right, wrong = labels[row["label"]], [labels.get(label) or Label([label], [], None) for label in among]

    def instructions() -> str:
        return chance.choice(asked_as) if chance.random() < 0.87 else ""

    made = [choice(right, wrong, strangers, instructions(), chance)]
    if len(wrong) > 3 and chance.random() < 0.5:
        made.append(choice(right, wrong, strangers, instructions(), chance))
    made.append(yes_no(right, wrong, instructions(), chance))
    if ordered and chance.random() < 0.5:
        style = "name" if chance.random() < 0.5 else "described"
        made.append(
            Asked(
                SCORE,
                instructions() or asked_as[0],
                [option(labels[level], style, chance) for level in ordered],
                ordered.index(row["label"]),
            )
        )
    return [asked for asked in made if asked]


def groups(data: Path, rows_a_set: int, chance: random.Random) -> list[Group]:
    names = [name for name in set_names(data) if name not in SETS]
    known = {name: faces(data, name) for name in names}
    kept_out = texts_of_sets(data)
    made = []
    for name in names:
        asked_as, labels = known[name]
        rows = [row for row in set_rows(data, name) if not is_held_out(row["text"]) and row["text"] not in kept_out]
        chance.shuffle(rows)
        others = [other for other in names if other != name]
        other_sets = [known[other][1] for other in chance.sample(others, min(8, len(others)))]
        strangers = [label for other in other_sets for label in chance.sample(list(other.values()), min(4, len(other)))]
        same_as = {label: group for group in SAME.get(name, ()) for label in group}
        for row in rows[:rows_a_set]:
            drawn = chance.random()
            window = next(tokens for share, tokens in STATE_TOKENS if drawn <= share)
            made.append(
                Group(row["text"], asked_of(row, labels, asked_as, strangers, ORDERED.get(name), same_as, chance), f"cls/{name}", window)
            )
    return made
