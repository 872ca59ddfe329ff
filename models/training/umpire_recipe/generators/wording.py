"""Shared wording: numbers in words, money, dates, clock times, spans, articles, lists of things, and ways to lay a text out."""
import datetime
import random
from collections.abc import Sequence

from .people import CITIES, firm

ONES = ('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen').split()
TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split()
ODD_ORDINALS = {'one': 'first', 'two': 'second', 'three': 'third', 'five': 'fifth', 'eight': 'eighth', 'nine': 'ninth', 'twelve': 'twelfth'}
WEEKDAYS = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split()
MONTHS = 'January February March April May June July August September October November December'.split()
CURRENCIES = ('€', '$', '£')
CURRENCY_WORDS = {'€': ('euro', 'euros'), '$': ('dollar', 'dollars'), '£': ('pound', 'pounds')}
CURRENCY_CODES = {'€': 'EUR', '$': 'USD', '£': 'GBP'}


def words(n: int) -> str:
    """A whole number below a million in words: 'two hundred and five'."""
    if n < 20:
        return ONES[n]
    if n < 100:
        return TENS[n // 10] + (f'-{ONES[n % 10]}' if n % 10 else '')
    if n < 1000:
        return f'{ONES[n // 100]} hundred' + (f' and {words(n % 100)}' if n % 100 else '')
    rest = n % 1000
    return f'{words(n // 1000)} thousand' + (f"{' and' if rest < 100 else ''} {words(rest)}" if rest else '')


def ordinal_words(n: int) -> str:
    """'twenty-first'."""
    head, dash, last = words(n).rpartition('-')
    if not dash:
        head, dash, last = words(n).rpartition(' ')
    return head + dash + (ODD_ORDINALS.get(last) or (f'{last[:-1]}ieth' if last.endswith('y') else f'{last}th'))


def ordinal(n: int) -> str:
    """'21st'."""
    return f"{n}{'th' if 10 <= n % 100 <= 20 else {1: 'st', 2: 'nd', 3: 'rd'}.get(n % 10, 'th')}"


def fork(rng: random.Random) -> random.Random:
    """A new source of randomness that takes the same amount from `rng` whatever is drawn from it: so the two states of a twin, rendered from one seed, stay worded alike after the fact that differs."""
    return random.Random(rng.getrandbits(48))


def number(rng: random.Random, n: int, words_share: float = .5) -> str:
    """Digits or words; long numbers stay digits."""
    rng = fork(rng)
    if rng.random() < words_share and (n <= 100 or n % 100 == 0 and n <= 2000):
        return words(n)
    return f'{n:,}' if n >= 10_000 or (n >= 1000 and rng.random() < .5) else str(n)


def count(rng: random.Random, n: int, one: str, many: str, words_share: float = .5) -> str:
    """'three parcels', '1 parcel', 'no parcels'."""
    rng = fork(rng)
    if n == 0 and rng.random() < .7:
        return f'no {many}'
    return f'{number(rng, n, words_share)} {one if n == 1 else many}'


def money(rng: random.Random, amount: int, currency: str) -> str:
    """A whole amount of money, in one of several styles: '€45', '45 euros', '45.00 EUR', 'forty-five euros'."""
    rng = fork(rng)
    one, many = CURRENCY_WORDS[currency]
    digits = f'{amount:,}' if amount >= 1000 else str(amount)
    style = rng.randrange(6)
    if style < 3:
        return f'{currency}{digits}'
    if style == 3:
        return f'{digits}.00 {CURRENCY_CODES[currency]}'
    if style == 4 and (amount <= 100 or amount % 100 == 0):
        return f'{words(amount)} {one if amount == 1 else many}'
    return f'{digits} {one if amount == 1 else many}'


def day(rng: random.Random, date: datetime.date, year: bool = False, weekday: float = .2) -> str:
    """A date in one of several unmistakable styles: '4 March', 'March 4', 'the fourth of March', 'Tue 4 Mar', '2026-03-04' (with the year only)."""
    rng = fork(rng)
    month, tail = MONTHS[date.month - 1], f' {date.year}' if year else ''
    if rng.random() < weekday:
        name = WEEKDAYS[date.weekday()]
        return rng.choice([f'{name}, {date.day} {month}{tail}', f'{name} {date.day} {month}{tail}', f'{name[:3]} {date.day} {month[:3]}{tail}'])
    styles = [f'{date.day} {month}{tail}', f"{month} {date.day}{',' if year else ''}{tail}", f'{month} {ordinal(date.day)}{"," if year else ""}{tail}', f'the {ordinal(date.day)} of {month}{tail}',
              f'{date.day} {month[:3]}{tail}', f'the {ordinal_words(date.day)} of {month}{tail}']
    return date.isoformat() if year and rng.random() < .25 else rng.choice(styles)


def some_date(rng: random.Random, year: int | None = None) -> datetime.date:
    """Any day of a year, by default of 2023 to 2027."""
    return datetime.date(year or rng.randint(2023, 2027), 1, 1) + datetime.timedelta(days=rng.randrange(365))


def clock(rng: random.Random, minutes: int, spoken: float = .4) -> str:
    """A time of day (minutes since midnight): '16:30', '4:30 pm', 'half past four in the afternoon'."""
    rng = fork(rng)
    hour, minute = divmod(minutes % 1440, 60)
    if minutes % 1440 in (0, 720) and rng.random() < .5:
        return 'noon' if hour == 12 else 'midnight'
    if rng.random() < spoken and minute % 5 == 0:
        part = 'in the morning' if hour < 12 else 'in the afternoon' if hour < 18 else 'in the evening' if hour < 22 else 'at night'
        this, following = words(hour % 12 or 12), words((hour + 1) % 12 or 12)
        if minute == 0:
            return f"{this} o'clock {part}" if rng.random() < .6 else f'{this} {part}'
        quarters = {15: f'quarter past {this}', 30: f'half past {this}', 45: f'quarter to {following}'}
        return f"{quarters.get(minute) or (f'{words(minute)} past {this}' if minute < 30 else f'{words(60 - minute)} to {following}')} {part}"
    if rng.random() < .5:
        return f'{hour:02d}:{minute:02d}' if rng.random() < .7 else f'{hour}:{minute:02d}' if hour >= 13 else f'{hour:02d}:{minute:02d}'
    half = 'am' if hour < 12 else 'pm'
    return f"{hour % 12 or 12}{f':{minute:02d}' if minute else ''}{rng.choice(['', ' '])}{half}"


def span(rng: random.Random, minutes: int) -> str:
    """How long something takes: 'an hour and a half', '90 minutes', '1 h 30 min'."""
    rng = fork(rng)
    hours, rest = divmod(minutes, 60)
    special = {15: 'a quarter of an hour', 30: 'half an hour', 45: 'three quarters of an hour', 60: 'an hour', 75: 'an hour and a quarter', 90: 'an hour and a half'}
    if minutes in special and rng.random() < .5:
        return special[minutes]
    if hours and rng.random() < .6:
        plain = f"{number(rng, hours)} hour{'s' if hours > 1 else ''}"
        return plain + (f" and {number(rng, rest)} minute{'s' if rest > 1 else ''}" if rest else '') if rng.random() < .6 else f'{hours} h' + (f' {rest} min' if rest else '')
    return f"{number(rng, minutes)} minute{'' if minutes == 1 else 's'}" if rng.random() < .8 else f'{minutes} min'


def a(noun: str) -> str:
    """The noun with its indefinite article."""
    first = noun.split()[0].lower()
    vowel = first[0] in 'aeiou' and not first.startswith(('uni', 'use', 'usu', 'eu', 'one', 'once', 'uti')) or first.startswith(('hour', 'honest', 'heir', '8', '11', '18'))
    return f"{'an' if vowel else 'a'} {noun}"


def cap(text: str) -> str:
    """The text with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def listed(parts: Sequence[str], joiner: str = 'and') -> str:
    """'a, b and c'."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {joiner} {parts[-1]}"


def possessive(name: str) -> str:
    return f"{name}'" if name.endswith('s') else f"{name}'s"


def table(header: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A Markdown table."""
    line = lambda cells: '| ' + ' | '.join(str(cell) for cell in cells) + ' |'
    return '\n'.join([line(header), '|' + '---|' * len(header), *(line(row) for row in rows)])


def lay_out(rng: random.Random, sentences: Sequence[str], title: str | None = None, writers: Sequence[str] | None = None) -> str | dict | list:
    """Whole sentences as running text, lines, bullets, a numbered list, mail, chat (where writers are given) or a record. Order is kept; shuffle first where order is free."""
    rng = fork(rng)
    sentences = [cap(sentence) for sentence in sentences]
    head = f'{title}\n' if title else ''
    shape = rng.randrange(10)
    if writers and shape >= 7:
        return [{'from': writers[i % len(writers)], 'text': sentence} for i, sentence in enumerate(sentences)]
    if shape < 4:
        return (f'{title}. ' if title and rng.random() < .5 else head) + ' '.join(sentences)
    if shape == 4:
        return head + '\n'.join(sentences)
    if shape == 5:
        mark = rng.choice(['- ', '* ', '• '])
        return head + '\n'.join(mark + sentence for sentence in sentences)
    if shape == 6:
        return head + '\n'.join(f'{i}. {sentence}' for i, sentence in enumerate(sentences, 1))
    if shape == 7:
        return f"{rng.choice(['Hi all', 'Hello', 'Dear colleagues', 'Hi', 'Good morning', 'Dear team'])},\n{' '.join(sentences)}\n{rng.choice(['Best', 'Regards', 'Thanks', 'Kind regards', 'Many thanks'])}"
    if shape == 8:
        return {'title': title, 'notes': list(sentences)} if title else {'notes': list(sentences)}
    return {'subject': title, 'body': ' '.join(sentences)} if title else {'text': ' '.join(sentences)}


ASIDES = ('The brochure from {firm} lies on the table.', 'Regards also from the people at {firm}.', 'The newsletter goes out as usual.', 'The phone list has been brought up to date.', 'It has been raining in {city} all week.', 'The weather in {city} is fine, by the way.', 'Please keep this note with the papers.', 'Questions are welcome.', 'A longer account will follow.',
          'The visit to {city} was pleasant.', 'The new colleague at {firm} sends greetings.', 'Excuse the haste, the phone has not stopped ringing.', 'The road to {city} is being mended.', 'There was little else to report.', 'The minutes will be typed up later.', 'Nothing further came up.', 'The photographs from {city} are on the shared drive.', 'The logo of {firm} has been redrawn.',
          'This was written in some haste.', 'The post from {city} is slow these days.', 'Somebody left an umbrella from {firm} behind.', 'The coffee machine is out of order again.', 'The talk with {firm} was friendly.', 'Forgive the typing.', 'The clock in the corridor is wrong, ignore it.', 'The calendar from {firm} hangs by the door.', 'The old address in {city} is no longer in use.', 'Copies go to the usual people.')
LEADS = ('By the way: ', 'Apart from that, ', 'On another note, ', 'As an aside, ', 'Not that it matters here: ')


def with_asides(rng: random.Random, sentences: Sequence[str], most: int = 2) -> list[str]:
    """The sentences with up to `most` of no bearing put before or after them, so that a text is not all fact."""
    rng = fork(rng)
    found = list(sentences)
    for text in rng.sample(ASIDES, rng.choice([0, *range(most + 1)])):
        text = text.format(firm=firm(rng), city=rng.choice(CITIES))
        text = f'{lead}{text[0].lower() + text[1:]}' if rng.random() < .25 and (lead := rng.choice(LEADS)) and not text.startswith('Regards') else text
        found.insert(rng.choice([0, len(found)]), text)
    return found
