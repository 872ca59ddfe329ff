"""Numbers and money in words, articles, lists and other small pieces of wording."""

import random
from collections.abc import Sequence

from .text_files import load_texts

TEXTS = load_texts("wording")
CURRENCIES = ("€", "$", "£")
CURRENCY_WORDS = {"€": ("euro", "euros"), "$": ("dollar", "dollars"), "£": ("pound", "pounds")}
CURRENCY_CODES = {"€": "EUR", "$": "USD", "£": "GBP"}


def words(n: int) -> str:
    """A whole number below a million in words: 'two hundred and five'."""
    if n < 20:
        return TEXTS["ones"][n]
    if n < 100:
        return TEXTS["tens"][n // 10] + (f"-{TEXTS['ones'][n % 10]}" if n % 10 else "")
    if n < 1000:
        return f"{TEXTS['ones'][n // 100]} hundred" + (f" and {words(n % 100)}" if n % 100 else "")
    rest = n % 1000
    return f"{words(n // 1000)} thousand" + (f"{' and' if rest < 100 else ''} {words(rest)}" if rest else "")


def ordinal_words(n: int) -> str:
    """An ordinal in words: 'twenty-first'."""
    head, dash, last = words(n).rpartition("-")
    if not dash:
        head, dash, last = words(n).rpartition(" ")
    return head + dash + (TEXTS["odd_ordinals"].get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last}th"))


def ordinal(n: int) -> str:
    """An ordinal in digits: '21st'."""
    return f"{n}{'th' if 10 <= n % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def fork(rng: random.Random) -> random.Random:
    """A new generator, seeded from `rng`. However much is drawn from it, `rng` moves on by one step.

    Both states of a twin are rendered from one seed. Without forks their wording would drift apart after the fact that differs.
    """
    return random.Random(rng.getrandbits(48))


def number(rng: random.Random, n: int, words_share: float = 0.5) -> str:
    """A number in words or digits. Long numbers stay in digits."""
    rng = fork(rng)
    if rng.random() < words_share and (n <= 100 or (n % 100 == 0 and n <= 2000)):
        return words(n)
    return f"{n:,}" if n >= 10_000 or (n >= 1000 and rng.random() < 0.5) else str(n)


def count(rng: random.Random, n: int, one: str, many: str, words_share: float = 0.5) -> str:
    """A number of things: 'three parcels', '1 parcel', 'no parcels'."""
    rng = fork(rng)
    if n == 0 and rng.random() < 0.7:
        return f"no {many}"
    return f"{number(rng, n, words_share)} {one if n == 1 else many}"


def money(rng: random.Random, amount: int, currency: str) -> str:
    """A whole amount of money, in one of several styles: '€45', '45 euros', '45.00 EUR', 'forty-five euros'."""
    rng = fork(rng)
    one, many = CURRENCY_WORDS[currency]
    digits = f"{amount:,}" if amount >= 1000 else str(amount)
    style = rng.randrange(6)
    if style < 3:
        return f"{currency}{digits}"
    if style == 3:
        return f"{digits}.00 {CURRENCY_CODES[currency]}"
    if style == 4 and (amount <= 100 or amount % 100 == 0):
        return f"{words(amount)} {one if amount == 1 else many}"
    return f"{digits} {one if amount == 1 else many}"


def a(noun: str) -> str:
    """The noun with its indefinite article."""
    first = noun.split()[0].lower()
    vowel = (first[0] in "aeiou" and not first.startswith(("uni", "use", "usu", "eu", "one", "once", "uti"))) or first.startswith(
        ("hour", "honest", "heir", "8", "11", "18")
    )
    return f"{'an' if vowel else 'a'} {noun}"


def cap(text: str) -> str:
    """The text with a capital first letter. The rest stays as it is."""
    return text[:1].upper() + text[1:]


def listed(parts: Sequence[str], joiner: str = "and") -> str:
    """The parts as a list in words: 'a, b and c'."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joiner} {parts[-1]}"


def possessive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
