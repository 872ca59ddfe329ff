"""Teaches a rule, its exception and an exception to that, and which of them applies to a case."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .parts.asking import both, described, polar
from .parts.layouts import lay_out, with_asides
from .parts.people import people
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import Twin, choice
from .parts.wording import cap

TEXTS = load_texts("exceptions")


@dataclass(frozen=True)
class Setting:
    """rule: the rule without exceptions. exception, counter: conditions of the exception and of its own exception.

    ex_yes, ex_no, co_yes, co_no: ways to say of {w} that the condition holds or does not. yes, no: what follows if the rule applies or not.
    """

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
    rng.random()  # not used, but without it all later draws would change
    counter = rng.random() < 0.5
    if not chain:
        cases = [(True, counter), (False, counter)]
    else:  # two of the outcomes (rule, exception, exception set aside), which differ in one fact
        by_exception, by_counter = [(False, False), (True, False)], [(True, False), (True, True)]
        cases = rng.choice([by_exception, by_counter, [(False, True), (True, True)], by_counter, by_exception]).copy()
    rng.shuffle(cases)
    form, order = rng.choice(TEXTS["except"] if chain else TEXTS["only"]), rng.random() < 0.7
    rule = form.format(r=rng.choice(s.rule), e=s.exception, c=s.counter)
    if rule.startswith("Unless"):
        first = rule.split(": ")[1][0]
        rule = rule.replace(f": {first}", f": {first.lower()}")
    indices, mention = [rng.randrange(3) for _ in range(2)], chain or rng.random() < 0.5
    rival_line = rng.choice([*s.ex_yes, *s.ex_no]).format(w=rival) if rng.random() < 0.35 else ""
    aside = rng.choice(TEXTS["asides"]).format(w=who)

    def render(case: tuple[bool, bool], local: random.Random) -> object:
        facts = [(s.ex_yes if case[0] else s.ex_no)[indices[0]]]
        if mention:
            facts.append((s.co_yes if case[1] else s.co_no)[indices[1]])
        lines = [cap(fact.format(w=who)) + "." for fact in facts]
        if order:
            lines = [aside, *lines]
        if rival_line:  # comes last, so that 'it' or 'the coat' is not taken for the rival's
            lines.append(cap(rival_line) + ("." if plain_rival else ", which is another matter."))
        lines = with_asides(local, [rule, *lines] if local.random() < 0.7 else [*lines, rule], 1)
        return lay_out(local, lines, s.title if local.random() < 0.5 else None)

    plain_rival = rng.random() < 0.5

    def applies(case: tuple[bool, bool]) -> bool:
        return not case[0] or (chain and case[1])

    states = both(render, cases, rng)
    truth = (applies(cases[0]), applies(cases[1]))

    def claims(forms: Sequence[str]) -> list[str]:
        return [ask for claim in formatted(forms, w=who) for ask in formatted(TEXTS["ask_claim"], c=claim, C=cap(claim))]

    meaning = (s.yes[0].format(w=who), s.no[0].format(w=who))
    questions = []
    if truth[0] != truth[1]:
        questions.append(polar(rng, truth, claims(s.yes), claims(s.no), meaning))
        if rng.random() < 0.5:
            key = rng.choice([("k1", "k2"), ("A", "B"), ("first", "second"), ("p", "q")])
            options = dict(zip(key, meaning, strict=True))
            if rng.random() < 0.5:
                options = dict(zip(key, meaning[::-1], strict=True))
            code = {text: k for k, text in options.items()}
            items = list(options.items())
            rng.shuffle(items)
            answers = (code[meaning[not truth[0]]], code[meaning[not truth[1]]])
            questions.append(choice(rng.choice(formatted(TEXTS["ask_outcome"], who=who)), dict(items), answers))

    def ground(case: tuple[bool, bool]) -> str:
        if not case[0]:
            return "rule"
        return "exception set aside" if chain and case[1] else "exception"

    if ground(cases[0]) != ground(cases[1]) and (len(questions) < 2 or rng.random() < 0.6):
        keys = ["rule", "exception", "exception set aside"] if chain else ["rule", "exception"]
        grounds = {key: TEXTS["grounds"][key] for key in keys}
        questions.append(described(rng, formatted(TEXTS["ask_ground"], who=who), grounds, (ground(cases[0]), ground(cases[1]))))
    differs = 0 if cases[0][0] != cases[1][0] else 1
    held = (cases[0][differs], cases[1][differs])
    clause = (s.exception, s.counter)[differs]
    if rng.random() < 0.5 or len(questions) < 2:
        yes, no = formatted(TEXTS["condition_held"], who=who, clause=clause), formatted(TEXTS["condition_unheld"], who=who, clause=clause)
        questions.append(polar(rng, held, yes, no))
    return Twin(states, questions)
