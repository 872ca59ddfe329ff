"""Teaches deadlines: whether something was in time, how early or late, with extensions, and 'by' as opposed to 'before'."""

import datetime
import random
from dataclasses import dataclass

from .parts.asking import both, pick, polar, without_repeats
from .parts.layouts import lay_out, with_asides
from .parts.people import DOCUMENTS, people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.times import day
from .parts.twin import Twin, score
from .parts.wording import a, cap, possessive, words

TEXTS = load_texts("deadlines")


@dataclass(frozen=True)
class Case:
    """When a document was sent, and whether its extension of `extra` days was granted."""

    sent: datetime.date
    granted: bool
    extra: int


def twin(rng: random.Random) -> Twin:
    doc, (who, rival) = rng.choice(DOCUMENTS).one, [p.name for p in people(rng, 2)]
    date = datetime.date(rng.randint(2024, 2027), rng.randint(1, 12), rng.randint(1, 28))
    inclusive = rng.random() < 0.6

    def shift(n: int) -> datetime.date:
        return date + datetime.timedelta(days=n)

    last = 0 if inclusive else -1  # the last permitted day, relative to the stated date
    offsets = [0, -1, 1, 2, -2, 3, -4, 6, 9, -8]
    with_extension = rng.random() < 0.4
    extra = rng.randint(2, 10)

    def late(c: Case) -> int:
        """Days late; negative if early."""
        return (c.sent - date).days - last - (c.extra if c.granted else 0)

    if with_extension and rng.random() < 0.6:  # the states differ in whether the extension was granted
        sent = shift(last + rng.randint(1, extra))
        cases = [Case(sent, True, extra), Case(sent, False, extra)]
    else:
        granted = with_extension and rng.random() < 0.5
        pool = [Case(shift(last + o + (extra if granted else 0)), granted, extra if with_extension else 0) for o in offsets]
        cases = [rng.choice([c for c in pool if late(c) <= 0]), rng.choice([c for c in pool if late(c) > 0])]
    rng.shuffle(cases)
    due_form, sent_form = rng.choice(TEXTS["due_on"] if inclusive else TEXTS["due_before"]), rng.choice(TEXTS["sent"])
    noise = rng.choice(TEXTS["noise"]) if rng.random() < 0.5 else ""
    extend_i, rival_sent, rival_form = rng.randrange(6), shift(last + rng.choice(offsets)), rng.choice(TEXTS["sent"])
    has_rival, title = rng.random() < 0.7, rng.choice([None, *TEXTS["titles"]])
    noise_date = shift(rng.choice([-20, -13, 11, 17]))

    def render(c: Case, local: random.Random) -> object:
        def told(form: str, d: datetime.date, person: str = "") -> str:
            return form.format(doc=doc, a_doc=cap(a(doc)), d=day(local, d), who=person)

        lines = [told(due_form, date), told(sent_form, c.sent, who)]
        if with_extension:
            lines.append((TEXTS["extend"] if c.granted else TEXTS["refused"])[extend_i].format(who=who, n=words(extra)))
        if has_rival:
            lines.append(told(rival_form, rival_sent, rival))
        if noise:
            lines.append(told(noise, noise_date))
        local.shuffle(lines)
        return lay_out(local, with_asides(local, lines), title)

    states = both(render, cases, rng)
    lates = (late(cases[0]), late(cases[1]))
    on_time = (lates[0] <= 0, lates[1] <= 0)

    values = {"who": who, "whose": possessive(who), "doc": doc}
    in_time, too_late = formatted(TEXTS["in_time"], **values), formatted(TEXTS["late"], **values)
    questions = [polar(rng, on_time, in_time, too_late, TEXTS["in_time_meaning"])]
    if rng.random() < 0.6:

        def tell(n: int) -> str:
            if n == 0:
                return "on the last day"
            return f"{words(abs(n))} {'day' if abs(n) == 1 else 'days'} {'late' if n > 0 else 'early'}"

        wrong = [tell(n) for x in lates for n in (-x, x + 1, x - 1, x + (extra if with_extension else 2))]
        questions.append(pick(rng, formatted(TEXTS["ask_distance"], **values), (tell(lates[0]), tell(lates[1])), wrong, most=6))
    if rng.random() < 0.6:
        levels = tuple(0 if n <= 0 else 1 if n < 3 else 2 if n < 6 else 3 for n in lates)
        questions.append(score(rng.choice(formatted(TEXTS["ask_delay"], **values)), TEXTS["delays"], levels))
    if has_rival and rng.random() < 0.7:
        ok = (rival_sent - date).days <= last
        labels = {(True, True): "both of them", (True, False): who, (False, True): rival, (False, False): "neither of them"}
        right = (labels[on_time[0], ok], labels[on_time[1], ok])
        questions.append(pick(rng, formatted(TEXTS["who_in_time"], doc=doc), right, list(labels.values()), most=4, fixed=True))
        sooner = (cases[0].sent < rival_sent, cases[1].sent < rival_sent)
        if sooner[0] != sooner[1] and all(c.sent != rival_sent for c in cases):
            yes, no = formatted(TEXTS["sooner"], rival=rival, **values), formatted(TEXTS["later"], rival=rival, **values)
            questions.append(polar(rng, sooner, yes, no))
    elif with_extension and cases[0].granted != cases[1].granted:
        yes, no = formatted(TEXTS["extended"], who=who), formatted(TEXTS["not_extended"], who=who)
        questions.append(polar(rng, (cases[0].granted, cases[1].granted), yes, no))
    if len(questions) == 1:
        questions.append(polar(rng, (not on_time[0], not on_time[1]), too_late, in_time))
    return Twin(states, without_repeats(questions))
