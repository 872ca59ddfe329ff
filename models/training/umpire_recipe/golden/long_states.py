"""Long states: many small reports, with one fact that the questions ask for. Some are exactly as long as a limit."""

import json
import random
from collections.abc import Callable
from pathlib import Path

HERE = Path(__file__).resolve().parent
NAMES = [
    "Adaeze",
    "Bertil",
    "Carmen",
    "Dragan",
    "Elif",
    "Fintan",
    "Gudrun",
    "Hiroshi",
    "Ines",
    "Jakub",
    "Kamala",
    "Levi",
    "Mirela",
    "Nadia",
    "Owen",
    "Priya",
]
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
FACT = "The strongbox was opened in the presence of two witnesses and held a violin, wrapped in a green scarf, and no money at all."
QUESTIONS = {
    "content": {
        "type": "choice",
        "instructions": "What was in the strongbox?",
        "criteria": {"money": None, "a violin": None, "letters": None, "nothing": "The box was empty"},
    },
    "witnesses": {"type": "noul", "instructions": "Was anybody present when the strongbox was opened?"},
    "order": {
        "type": "score",
        "instructions": "How well ordered is this text?",
        "criteria": ["a jumble of reports", "some order", "one clear story"],
    },
}
# Text tokens, and the place of the fact from 0 (start) to 1 (end). 382 fill one window, 383 need a second, 701 a third.
LENGTHS = [
    (382, 0.5),
    (383, 0.5),
    (450, 1.0),
    (700, 0.0),
    (701, 1.0),
    (1024, 0.5),
    (1500, 0.9),
    (2048, 0.3),
    (3000, 0.6),
    (6000, 0.75),
    (15900, 0.4),
]


def paragraphs(chance: random.Random) -> list[str]:
    texts = json.loads((HERE / "paragraphs.json").read_text("utf-8"))
    chance.shuffle(texts)
    filled = []
    for text in texts:
        hour = f"{chance.randint(1, 12)}:{chance.randint(0, 59):02}"
        filled.append(text.format(name=chance.choice(NAMES), number=chance.randint(2, 98), weekday=chance.choice(WEEKDAYS), hour=hour))
    return filled


def of_length(tokens: int, count: Callable[[str], int], chance: random.Random, fact_at: float | None = None) -> str:
    """Text of exactly `tokens` tokens, counted by `count`. fact_at: place of the fact, 0 to 1; None: without the fact."""
    fact = [FACT] if fact_at is not None else []
    room = tokens - sum(map(count, fact))
    parts: list[str] = []
    while count("\n\n".join(parts)) < room:
        parts += paragraphs(chance)
    words = "\n\n".join(parts).split(" ")
    low, high = 0, len(words)  # search for the longest beginning that fits
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if count(" ".join(words[:middle])) <= room else (low, middle)
    start = " ".join(words[:low])
    start += " so" * (room - count(start))
    if fact_at is not None:
        pieces = start.split("\n\n")
        pieces.insert(round(fact_at * len(pieces)), FACT)
        start = "\n\n".join(pieces)
    assert count(start) == tokens, (count(start), tokens)
    return start


def long_requests(count: Callable[[str], int]) -> list[dict]:
    requests = []
    for tokens, fact_at in LENGTHS:
        chance = random.Random(tokens)
        state = of_length(tokens, count, chance, fact_at)
        names = list(QUESTIONS)[: 3 if tokens < 6000 else 1]
        requests.append({"name": f"a state of {tokens} tokens", "state": state, "questions": {name: QUESTIONS[name] for name in names}})
    chance = random.Random(254)
    longest = [of_length(254, count, chance) for _ in range(3)]
    fullest = {"type": "choice", "instructions": longest[0], "criteria": {"a": longest[1], "b": longest[2], "c": "neither"}}
    requests.append({"name": "instructions and options as long as they may be", "state": FACT, "questions": {"fullest": fullest}})
    minutes = {
        "meeting": 12,
        "entries": [{"number": i, "text": text} for i, text in enumerate(paragraphs(random.Random(12)), 1)],
        "fact": FACT,
    }
    requests.append({"name": "a long structured state", "state": minutes, "questions": dict(QUESTIONS)})
    return requests
