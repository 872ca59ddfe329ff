"""Dates, times of day and spans of time in words."""

import datetime
import random

from .text_files import load_texts
from .wording import fork, number, ordinal, ordinal_words, words

TEXTS = load_texts("times")
WEEKDAYS = TEXTS["weekdays"]
MONTHS = TEXTS["months"]


def day(rng: random.Random, date: datetime.date, year: bool = False, weekday: float = 0.2) -> str:
    """A date in an unambiguous style: '4 March', 'March 4', 'the fourth of March', 'Tue 4 Mar' or (with the year) '2026-03-04'."""
    rng = fork(rng)
    month, tail = MONTHS[date.month - 1], f" {date.year}" if year else ""
    if rng.random() < weekday:
        name = WEEKDAYS[date.weekday()]
        return rng.choice(
            [f"{name}, {date.day} {month}{tail}", f"{name} {date.day} {month}{tail}", f"{name[:3]} {date.day} {month[:3]}{tail}"]
        )
    styles = [
        f"{date.day} {month}{tail}",
        f"{month} {date.day}{',' if year else ''}{tail}",
        f"{month} {ordinal(date.day)}{',' if year else ''}{tail}",
        f"the {ordinal(date.day)} of {month}{tail}",
        f"{date.day} {month[:3]}{tail}",
        f"the {ordinal_words(date.day)} of {month}{tail}",
    ]
    return date.isoformat() if year and rng.random() < 0.25 else rng.choice(styles)


def some_date(rng: random.Random, year: int | None = None) -> datetime.date:
    """A day of the year, or of any year from 2023 to 2027."""
    return datetime.date(year or rng.randint(2023, 2027), 1, 1) + datetime.timedelta(days=rng.randrange(365))


def clock(rng: random.Random, minutes: int, spoken: float = 0.4) -> str:
    """A time of day (minutes since midnight): '16:30', '4:30 pm', 'half past four in the afternoon'."""
    rng = fork(rng)
    hour, minute = divmod(minutes % 1440, 60)
    if minutes % 1440 in (0, 720) and rng.random() < 0.5:
        return "noon" if hour == 12 else "midnight"
    if rng.random() < spoken and minute % 5 == 0:
        part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening" if hour < 22 else "at night"
        this, following = words(hour % 12 or 12), words((hour + 1) % 12 or 12)
        if minute == 0:
            return f"{this} o'clock {part}" if rng.random() < 0.6 else f"{this} {part}"
        quarters = {15: f"quarter past {this}", 30: f"half past {this}", 45: f"quarter to {following}"}
        return (
            f"{quarters.get(minute) or (f'{words(minute)} past {this}' if minute < 30 else f'{words(60 - minute)} to {following}')} {part}"
        )
    if rng.random() < 0.5:
        return f"{hour:02d}:{minute:02d}" if rng.random() < 0.7 else f"{hour}:{minute:02d}" if hour >= 13 else f"{hour:02d}:{minute:02d}"
    half = "am" if hour < 12 else "pm"
    return f"{hour % 12 or 12}{f':{minute:02d}' if minute else ''}{rng.choice(['', ' '])}{half}"


def span(rng: random.Random, minutes: int) -> str:
    """How long something takes: 'an hour and a half', '90 minutes', '1 h 30 min'."""
    rng = fork(rng)
    hours, rest = divmod(minutes, 60)
    special = {
        15: "a quarter of an hour",
        30: "half an hour",
        45: "three quarters of an hour",
        60: "an hour",
        75: "an hour and a quarter",
        90: "an hour and a half",
    }
    if minutes in special and rng.random() < 0.5:
        return special[minutes]
    if hours and rng.random() < 0.6:
        plain = f"{number(rng, hours)} hour{'s' if hours > 1 else ''}"
        return (
            plain + (f" and {number(rng, rest)} minute{'s' if rest > 1 else ''}" if rest else "")
            if rng.random() < 0.6
            else f"{hours} h" + (f" {rest} min" if rest else "")
        )
    return f"{number(rng, minutes)} minute{'' if minutes == 1 else 's'}" if rng.random() < 0.8 else f"{minutes} min"
