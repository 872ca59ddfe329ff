"""Makes texts untidy: typing errors, missing punctuation, mark-up, mail headers.

The facts in the text stay the same. A header adds a sender and a day, so it is added only where no question asks about these.
"""

import random
import re
from dataclasses import replace

from umpire_recipe.prepare.asked import Group

HEADERS = (
    "From: {a}@example.org\nTo: {b}@example.org\nSubject: {s}\n\n",
    "-----Original Message-----\nFrom: {a}\nSent: {d}\n\n",
    "> On {d}, {a} wrote:\n> ",
    "[{d}] {a}: ",
)
PEOPLE = ("j.moreno", "support", "ana", "k.lindqvist", "info", "t.okafor", "desk2", "mia")
SUBJECTS = ("Re: question", "Fwd:", "(no subject)", "Re: Re: update", "hello", "your message")
DAYS = ("Mon 3 Feb 09:12", "2024-11-05 17:40", "12.03.2025, 08:01", "Thu, 21 Aug 2025 14:55")


def typed_badly(text: str, chance: random.Random) -> str:
    """One word in twelve loses, doubles or swaps a letter. Words with digits stay, because a changed number is another fact."""

    def slip(match: re.Match[str]) -> str:
        word = match.group()
        if len(word) < 4 or chance.random() > 0.08:
            return word
        i = chance.randrange(1, len(word) - 1)
        return chance.choice((word[:i] + word[i + 1 :], word[:i] + word[i] + word[i:], word[:i] + word[i + 1] + word[i] + word[i + 2 :]))

    return re.sub(r"\b[A-Za-z]+\b", slip, text)


def unpunctuated(text: str, _: random.Random) -> str:
    return re.sub(r"(?<=[a-z])[.,;!?](?=\s|$)", "", text)


def marked_up(text: str, _: random.Random) -> str:
    return "".join(f"<p>{line}</p>\n" if line.strip() else "<br/>\n" for line in text.split("\n"))


def headed(text: str, chance: random.Random) -> str:
    header = chance.choice(HEADERS).format(
        a=chance.choice(PEOPLE), b=chance.choice(PEOPLE), s=chance.choice(SUBJECTS), d=chance.choice(DAYS)
    )
    return header + text


KINDS = (typed_badly, typed_badly, unpunctuated, marked_up)
ASK_ABOUT_PEOPLE = ("cls/pii",)  # hand-written and generated questions do, too


def noisy(text: str, source: str, chance: random.Random) -> str:
    may_have_header = source.startswith("cls/") and not source.startswith(ASK_ABOUT_PEOPLE)
    return chance.choice((*KINDS, headed) if may_have_header else KINDS)(text, chance)


def with_noise(groups: list[Group], share: float, chance: random.Random) -> list[Group]:
    """Makes the states of a share of the groups untidy, except those of NLI."""
    return [
        replace(group, state=noisy(group.state, group.source, chance))
        if chance.random() < share and not group.source.startswith("nli/")
        else group
        for group in groups
    ]
