"""Teaches deadlines: whether something was in time, how early or late, with dates in words, extensions, 'by' against 'before', and times of day."""

import datetime
import random
from dataclasses import dataclass

from .asking import both, pick, polar, without_repeats
from .layouts import lay_out, with_asides
from .people import DOCUMENTS, people
from .shapes import formatted
from .text_files import load_texts
from .times import day
from .twin import Twin, score
from .wording import a, cap, possessive, words

TEXTS = load_texts("deadlines")


@dataclass(frozen=True)
class Case:
    sent: datetime.date
    granted: bool
    extra: int


def twin(rng: random.Random) -> Twin:
    doc, (who, rival) = rng.choice(DOCUMENTS).one, [p.name for p in people(rng, 2)]
    date = datetime.date(rng.randint(2024, 2027), rng.randint(1, 12), rng.randint(1, 28))
    inclusive = rng.random() < 0.6

    def shift(n):
        return date + datetime.timedelta(days=n)

    last = 0 if inclusive else -1  # the last day in time, counted from the stated date
    offsets = [0, -1, 1, 2, -2, 3, -4, 6, 9, -8]
    with_extension = rng.random() < 0.4
    extra = rng.randint(2, 10)

    def late(c):
        return (c.sent - date).days - last - (c.extra if c.granted else 0)  # days late, or days in hand where negative

    if with_extension and rng.random() < 0.6:  # what differs is whether the extension was granted
        sent = shift(last + rng.randint(1, extra))
        cases = [Case(sent, True, extra), Case(sent, False, extra)]
    else:
        granted = with_extension and rng.random() < 0.5
        pool = [Case(shift(last + o + (extra if granted else 0)), granted, extra if with_extension else 0) for o in offsets]
        cases = [rng.choice([c for c in pool if late(c) <= 0]), rng.choice([c for c in pool if late(c) > 0])]
    rng.shuffle(cases)
    due_form, sent_form, noise = (
        rng.choice(TEXTS["due_on"] if inclusive else TEXTS["due_before"]),
        rng.choice(TEXTS["sent"]),
        rng.choice(TEXTS["noise"]) if rng.random() < 0.5 else "",
    )
    extend_i, rival_sent, rival_form = rng.randrange(6), shift(last + rng.choice(offsets)), rng.choice(TEXTS["sent"])
    has_rival, title = rng.random() < 0.7, rng.choice([None, *TEXTS["settings"]])
    noise_date = shift(rng.choice([-20, -13, 11, 17]))

    def render(c: Case, local: random.Random) -> object:
        def fill(form, d, person):
            return form.format(doc=doc, a_doc=cap(a(doc)), d=day(local, d), who=person)

        lines = [fill(due_form, date, ""), fill(sent_form, c.sent, who)]
        if with_extension:
            lines.append((TEXTS["extend"] if c.granted else TEXTS["refused"])[extend_i].format(who=who, n=words(extra)))
        if has_rival:
            lines.append(fill(rival_form, rival_sent, rival))
        if noise:
            lines.append(fill(noise, noise_date, ""))
        local.shuffle(lines)
        return lay_out(local, with_asides(local, lines), title)

    states = both(render, cases, rng)
    lates = (late(cases[0]), late(cases[1]))
    on_time = (lates[0] <= 0, lates[1] <= 0)

    def fill(forms):
        return [f.format(who=who, whose=possessive(who), doc=doc) for f in forms]

    questions = [polar(rng, on_time, fill(TEXTS["in_time"]), fill(TEXTS["late"]), TEXTS["in_time_meaning"])]
    if rng.random() < 0.6:

        def tell(n):
            return "on the last day" if n == 0 else f"{words(abs(n))} {'day' if abs(n) == 1 else 'days'} {'late' if n > 0 else 'early'}"

        questions.append(
            pick(
                rng,
                formatted(TEXTS["ask_distance"], who=who, whose=possessive(who), doc=doc),
                (tell(lates[0]), tell(lates[1])),
                [tell(n) for x in lates for n in (-x, x + 1, x - 1, x + (extra if with_extension else 2))],
                most=6,
            )
        )
    if rng.random() < 0.6:
        questions.append(
            score(
                rng.choice(formatted(TEXTS["ask_delay"], who=who, doc=doc)),
                TEXTS["delays"],
                tuple(0 if n <= 0 else 1 if n < 3 else 2 if n < 6 else 3 for n in lates),
            )
        )
    if has_rival and rng.random() < 0.7:
        ok = (rival_sent - date).days <= last
        labels = {(True, True): "both of them", (True, False): who, (False, True): rival, (False, False): "neither of them"}
        questions.append(
            pick(
                rng,
                formatted(TEXTS["who_in_time"], doc=doc),
                (labels[on_time[0], ok], labels[on_time[1], ok]),
                list(labels.values()),
                most=4,
                fixed=True,
            )
        )
        if (
            cases[0].sent != cases[1].sent
            and all(c.sent != rival_sent for c in cases)
            and (cases[0].sent < rival_sent) != (cases[1].sent < rival_sent)
        ):
            questions.append(
                polar(
                    rng,
                    (cases[0].sent < rival_sent, cases[1].sent < rival_sent),
                    formatted(TEXTS["sooner"], who=who, rival=rival, whose=possessive(who), doc=doc),
                    formatted(TEXTS["later"], rival=rival, who=who, doc=doc),
                )
            )
    elif with_extension and cases[0].granted != cases[1].granted:
        questions.append(
            polar(
                rng, (cases[0].granted, cases[1].granted), formatted(TEXTS["extended"], who=who), formatted(TEXTS["not_extended"], who=who)
            )
        )
    if len(questions) == 1:
        questions.append(polar(rng, (not on_time[0], not on_time[1]), fill(TEXTS["late"]), fill(TEXTS["in_time"])))
    return Twin(states, without_repeats(questions))
