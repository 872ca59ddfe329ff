"""Lays sentences out as a text, a table, a chat or a record, and adds irrelevant ones."""

import random
from collections.abc import Sequence

from .people import CITIES, firm
from .text_files import load_texts
from .wording import cap, fork

TEXTS = load_texts("layouts")


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""

    def line(cells: Sequence[object]) -> str:
        return "| " + " | ".join(str(cell) for cell in cells) + " |"

    return "\n".join([line(header), "|" + "---|" * len(header), *(line(row) for row in rows)])


def lay_out(
    rng: random.Random, sentences: Sequence[str], title: str | None = None, writers: Sequence[str] | None = None
) -> str | dict | list:
    """The sentences, in their order, as running text, lines, bullets, a numbered list, a mail or a record.

    With writers, also as a chat.
    """
    rng = fork(rng)
    sentences = [cap(sentence) for sentence in sentences]
    head = f"{title}\n" if title else ""
    shape = rng.randrange(10)
    if writers and shape >= 7:
        return [{"from": writers[i % len(writers)], "text": sentence} for i, sentence in enumerate(sentences)]
    if shape < 4:
        return (f"{title}. " if title and rng.random() < 0.5 else head) + " ".join(sentences)
    if shape == 4:
        return head + "\n".join(sentences)
    if shape == 5:
        mark = rng.choice(["- ", "* ", "• "])
        return head + "\n".join(mark + sentence for sentence in sentences)
    if shape == 6:
        return head + "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(sentences, 1))
    if shape == 7:
        return f"{rng.choice(TEXTS['greetings'])},\n{' '.join(sentences)}\n{rng.choice(TEXTS['closings'])}"
    if shape == 8:
        return {"title": title, "notes": list(sentences)} if title else {"notes": list(sentences)}
    return {"subject": title, "body": " ".join(sentences)} if title else {"text": " ".join(sentences)}


def with_asides(rng: random.Random, sentences: Sequence[str], most: int = 2) -> list[str]:
    """The sentences with up to `most` irrelevant ones before or after them."""
    rng = fork(rng)
    found = list(sentences)
    for text in rng.sample(TEXTS["asides"], rng.choice([0, *range(most + 1)])):
        text = text.format(firm=firm(rng), city=rng.choice(CITIES))
        text = (
            f"{lead}{text[0].lower() + text[1:]}"
            if rng.random() < 0.25 and (lead := rng.choice(TEXTS["leads"])) and not text.startswith("Regards")
            else text
        )
        found.insert(rng.choice([0, len(found)]), text)
    return found
