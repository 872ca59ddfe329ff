"""Teaches reading a mail thread: the newest mail counts, and the quoted mails tell what was said before."""

import datetime
import random
from collections.abc import Sequence

from .parts.asking import both, described, pick, polar
from .parts.people import CITIES, GOODS, Person, people
from .parts.shapes import filled, formatted, made
from .parts.text_files import load_texts
from .parts.times import WEEKDAYS, some_date
from .parts.twin import State, Twin
from .parts.wording import cap, count

TEXTS = load_texts("mail_threads")


def thread(draw: random.Random, mails: Sequence[tuple[Person, datetime.date, str]], shape: int) -> State:
    """The mails (oldest first) as a text with quotes, as a list, or as a list with the newest first."""
    full = [
        (who, date, draw.choice(TEXTS["greetings"]), text, draw.choice(TEXTS["closings"]).format(who.name)) for who, date, text in mails
    ]
    if shape < 2:
        text = ""
        for i, (_, _, greet, body, close) in enumerate(full):
            quoted = "\n".join("> " + line for line in text.split("\n"))
            text = f"{greet}\n{body}\n{close}"
            if i:  # quotes the mail before, with all that it quotes
                writer, date = full[i - 1][:2]
                text += f"\n\nOn {date.day} {date.strftime('%B')}, {writer.name} wrote:\n{quoted}"
        return text
    listed = [{"from": who.name, "date": date.isoformat(), "body": body} for who, date, _, body, _ in full]
    if shape == 2:
        return listed
    return listed[::-1] if shape == 3 else {"subject": draw.choice(TEXTS["subjects"]), "thread": listed[::-1]}


def twin(rng: random.Random) -> Twin:
    """A customer's first and newest mail, with the firm's mail between them. Their wishes, or a value in them, swap."""
    client, agent = people(rng, 2)
    item = rng.choice(GOODS).one
    start = some_date(rng)
    dates = [start, start + datetime.timedelta(days=rng.randint(1, 4)), start + datetime.timedelta(days=rng.randint(5, 20))]
    shape = rng.randrange(5)
    if rng.random() < 0.6:
        old, new, third, fourth = rng.sample(list(TEXTS["intents"]), 4)
        say = {key: rng.choice(TEXTS["intents"][key]["forms"]) for key in (old, new)}
        meaning = {key: TEXTS["intents"][key]["meaning"] for key in (old, new, third, fourth)}
        about = rng.choice(formatted(TEXTS["about_item"], item=item))
        ways, old_ways = filled(TEXTS["ask_wish"], p=client.name), filled(TEXTS["ask_old_wish"], p=client.name)
    else:
        kind = rng.choice(["number", "day", "city"])
        if kind == "number":
            values = [count(rng, n, "piece", "pieces") for n in rng.sample(range(2, 40), 4)]
        else:
            values = rng.sample(WEEKDAYS if kind == "day" else CITIES, 4)
        wish = TEXTS["wishes"][kind]
        about, noun = f"{wish['about']} ({item}):", wish["noun"]
        old, new, third, fourth = values
        form = rng.choice(wish["forms"])
        say = {value: form.format(value) for value in (old, new)}
        meaning = {value: f"wants {value} as the {noun}" for value in values}
        ways, old_ways = (filled(TEXTS[key], noun=noun, Noun=cap(noun)) for key in ("ask_value", "ask_old_value"))
    reply = rng.choice(TEXTS["replies"])
    shift = rng.choice(TEXTS["shift"])

    def render(world: tuple[str, str], draw: random.Random) -> State:
        mails = [
            (client, dates[0], cap(f"{about} {say[world[0]]}")),
            (agent, dates[1], cap(reply)),
            (client, dates[2], cap(f"{shift}{say[world[1]]}")),
        ]
        return thread(draw, mails, shape)

    questions = []
    for key, holds in ((new, (True, False)), (old, (False, True))):
        wants, wanted = filled(TEXTS["wants"], p=client.name, x=meaning[key]), filled(TEXTS["wanted"], p=client.name, x=meaning[key])
        questions.append(polar(rng, holds, wants, wanted, TEXTS["want_meaning"]))
    for forms, right in ((ways, (new, old)), (old_ways, (old, new))):
        if old in TEXTS["intents"]:
            questions.append(described(rng, forms, {key: meaning[key] for key in (old, new, third, fourth)}, right))
        else:
            questions.append(pick(rng, forms, right, [third, fourth]))
    return made(rng, both(render, ((old, new), (new, old)), rng), questions)
