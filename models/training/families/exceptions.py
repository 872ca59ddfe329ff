"""Teaches a rule, its exception and the exception to that: which of them governs the case at hand."""

import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .layouts import lay_out, with_asides
from .people import people
from .shapes import formatted
from .text_files import load_texts
from .twin import Twin, choice
from .wording import cap

TEXTS = load_texts("exceptions")


@dataclass(frozen=True)
class Setting:
    """rule: always-forms. exception and counter: clauses that follow 'if'. {w} is a person. The facts tell, in other words, whether each holds. yes/no: what the rule brings and what its exception brings."""

    title: str
    rule: tuple[str, ...]
    exception: str
    counter: str
    ex_yes: tuple[str, ...]
    ex_no: tuple[str, ...]
    co_yes: tuple[str, ...]
    co_no: tuple[str, ...]
    yes: tuple[str, ...]
    no: tuple[str, ...]


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    chain = rng.random() < 0.65
    who, rival = (p.name for p in people(rng, 2))
    exception, counter = rng.random() < 0.5, rng.random() < 0.5
    if not chain:
        cases = [(True, counter), (False, counter)]
    else:  # of the three outcomes (rule, exception, exception undone), two; the fact that differs is one
        cases = rng.choice(
            [
                [(False, False), (True, False)],
                [(True, False), (True, True)],
                [(False, True), (True, True)],
                [(True, False), (True, True)],
                [(False, False), (True, False)],
            ]
        )
    rng.shuffle(cases)
    form, order = rng.choice(TEXTS["except"] if chain else TEXTS["only"]), rng.random() < 0.7
    rule = form.format(r=rng.choice(s.rule), e=s.exception, c=s.counter)
    rule = rule if not rule.startswith("Unless") else rule.replace(": " + rule.split(": ")[1][0], ": " + rule.split(": ")[1][0].lower())
    indices, mention = [rng.randrange(3) for _ in range(2)], chain or rng.random() < 0.5
    rival_line = rng.choice([*s.ex_yes, *s.ex_no]).format(w=rival) if rng.random() < 0.35 else ""
    aside = rng.choice(TEXTS["asides"]).format(w=who)

    def render(case: tuple[bool, bool], local: random.Random) -> object:
        facts = [(s.ex_yes if case[0] else s.ex_no)[indices[0]].format(w=who)] + (
            [(s.co_yes if case[1] else s.co_no)[indices[1]].format(w=who)] if mention else []
        )
        lines = [cap(fact) + "." for fact in facts]
        if order:
            lines = [aside, *lines]
        if rival_line:  # after the facts of the one in question, lest 'it' or 'the coat' be taken for the rival's
            lines.append(cap(rival_line) + ("." if plain_rival else ", which is another matter."))
        return lay_out(
            local,
            with_asides(local, [rule, *lines] if local.random() < 0.7 else [*lines, rule], 1),
            s.title if local.random() < 0.5 else None,
        )

    plain_rival = rng.random() < 0.5

    def applies(case):
        return not case[0] or (chain and case[1])

    states = both(render, cases, rng)
    truth = (applies(cases[0]), applies(cases[1]))

    def fill(forms):
        return [t for f in forms for c in [f.format(w=who)] for t in formatted(TEXTS["ask_claim"], C=cap(c), c=c)]

    meaning = (s.yes[0].format(w=who), s.no[0].format(w=who))
    questions = []
    if truth[0] != truth[1]:
        questions.append(polar(rng, truth, fill(s.yes), fill(s.no), meaning))
        if rng.random() < 0.5:
            key = rng.choice([("k1", "k2"), ("A", "B"), ("first", "second"), ("p", "q")])
            options = dict(zip(key, meaning, strict=True))
            if rng.random() < 0.5:
                options = dict(zip(key, meaning[::-1], strict=True))
            code = {text: k for k, text in options.items()}
            items = list(options.items())
            rng.shuffle(items)
            questions.append(
                choice(
                    rng.choice(formatted(TEXTS["ask_outcome"], who=who)),
                    dict(items),
                    (code[meaning[not truth[0]]], code[meaning[not truth[1]]]),
                )
            )

    def path(case):
        return "rule" if not case[0] else "exception set aside" if chain and case[1] else "exception"

    if path(cases[0]) != path(cases[1]) and (len(questions) < 2 or rng.random() < 0.6):
        keys = ["rule", "exception", "exception set aside"] if chain else ["rule", "exception"]
        questions.append(
            described(rng, formatted(TEXTS["ask_ground"], who=who), {k: TEXTS["why"][k] for k in keys}, (path(cases[0]), path(cases[1])))
        )
    differs = 0 if cases[0][0] != cases[1][0] else 1
    held = (cases[0][differs], cases[1][differs])
    clause = (s.exception, s.counter)[differs]
    if rng.random() < 0.5 or len(questions) < 2:
        questions.append(
            polar(
                rng,
                held,
                formatted(TEXTS["condition_held"], who=who, clause=clause),
                formatted(TEXTS["condition_unheld"], who=who, clause=clause),
            )
        )
    return Twin(states, questions)
