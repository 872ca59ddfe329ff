"""Teaches a mail thread: the newest mail counts, the quoted older ones tell what was said before, and by whom."""

import datetime
import random
from collections.abc import Sequence

from .asking import both, described, pick, polar
from .people import CITIES, GOODS, Person, people
from .shapes import capital, filled, formatted, made
from .text_files import load_texts
from .times import WEEKDAYS, day, some_date
from .twin import State, Twin
from .wording import count

TEXTS = load_texts("mail_threads")
# what a writer may want: key -> (description, ways to write it)

GREET, CLOSE = (
    ["Hello,", "Dear team,", "Hi,", "Good morning,", "Dear all,", "Hi there,"],
    ["Best, {}", "Regards, {}", "{}", "Kind regards\n{}", "Thanks\n{}", "Yours, {}"],
)


def thread(draw: random.Random, mails: Sequence[tuple[Person, datetime.date, str]], shape: int) -> State:
    """The mails, given oldest first, as one text with quotes, as a list, or as a list with the newest first."""
    full = [(who, date, draw.choice(GREET), text, draw.choice(CLOSE).format(who.name)) for who, date, text in mails]
    if shape < 2:
        text = ""
        for i, (who, _, greet, body, close) in enumerate(full):
            quoted = "\n".join("> " + line for line in text.split("\n"))
            text = f"{greet}\n{body}\n{close}"
            if i:  # the mail before, with all it quotes
                text += f"\n\nOn {full[i - 1][1].day} {full[i - 1][1].strftime('%B')}, {full[i - 1][0].name} wrote:\n{quoted}"
        return text
    listed = [{"from": who.name, "date": date.isoformat(), "body": body} for who, date, _, body, _ in full]
    return listed if shape == 2 else listed[::-1] if shape == 3 else {"subject": draw.choice(TEXTS["subjects"]), "thread": listed[::-1]}


def twin(rng: random.Random) -> Twin:
    """A customer's older wish and newest wish (or value) change places between the worlds; the firm's mail lies between them."""
    client, agent = people(rng, 2)
    item = rng.choice(GOODS).one
    start = some_date(rng)
    dates = [start, start + datetime.timedelta(days=rng.randint(1, 4)), start + datetime.timedelta(days=rng.randint(5, 20))]
    shape = rng.randrange(5)
    if rng.random() < 0.6:
        old, new, third, fourth = rng.sample(list(TEXTS["intents"]), 4)
        say = {key: rng.choice(TEXTS["intents"][key][1]) for key in (old, new)}
        meaning = {key: TEXTS["intents"][key][0] for key in (old, new, third, fourth)}
        about = rng.choice(formatted(TEXTS["about_item"], item=item))
        ways = TEXTS["ask_wish"]
        old_ways = TEXTS["ask_old_wish"]
    else:
        kind = rng.choice(["number", "day", "city"])
        if kind == "number":
            values = [count(rng, n, "piece", "pieces") for n in rng.sample(range(2, 40), 4)]
            forms, about, noun = TEXTS["number_wishes"], f"the quantity ({item}):", "quantity"
        elif kind == "day":
            values, forms, about, noun = rng.sample(WEEKDAYS, 4), TEXTS["day_wishes"], f"the delivery day ({item}):", "delivery day"
        else:
            values, forms, about, noun = rng.sample(CITIES, 4), TEXTS["city_wishes"], f"the destination ({item}):", "destination"
        old, new, third, fourth = values
        form = rng.choice(forms)
        say = {value: form.format(value) for value in (old, new)}
        meaning = {value: f"wants {value} as the {noun}" for value in values}
        ways = [
            f"Which {noun} holds now?",
            f"Current {noun}?",
            f"Which {noun} should be used?",
            f"{noun}, by the newest mail:".capitalize(),
        ]
        old_ways = [f"Which {noun} was named at first?", f"{noun}, as first given:".capitalize(), f"Which {noun} is out of date?"]
    reply = rng.choice(TEXTS["replies"])
    shift = rng.choice(TEXTS["shift"])

    def render(world: tuple[str, str], draw: random.Random) -> State:
        mails = [
            (client, dates[0], capital(f"{about} {say[world[0]]}")),
            (agent, dates[1], capital(reply)),
            (client, dates[2], capital(f"{shift}{say[world[1]]}")),
        ]
        return thread(draw, mails, shape)

    questions = [
        polar(
            rng,
            holds,
            filled(TEXTS["wants"], p=client.name, x=meaning[key]),
            filled(TEXTS["wanted"], p=client.name, x=meaning[key]),
            TEXTS["want_meaning"],
        )
        for key, holds in ((new, (True, False)), (old, (False, True)))
    ]
    for forms, right in ((filled(ways, p=client.name), (new, old)), (filled(old_ways, p=client.name), (old, new))):
        questions.append(
            described(rng, forms, {key: meaning[key] for key in (old, new, third, fourth)}, right)
            if old in TEXTS["intents"]
            else pick(rng, forms, right, [third, fourth])
        )
    return made(rng, both(render, ((old, new), (new, old)), rng), questions)
