"""Teaches parts and wholes: shares of a group or of a part of it, and what is left over."""

import random
from dataclasses import dataclass
from fractions import Fraction

from .parts.asking import both, pick, polar
from .parts.layouts import lay_out, with_asides
from .parts.people import CITIES
from .parts.shapes import formatted
from .parts.text_files import load_texts
from .parts.twin import State, Twin, score
from .parts.wording import cap, number

TEXTS = load_texts("part_whole")
SHARES = {Fraction(share): forms for share, forms in TEXTS["shares"].items()}


@dataclass(frozen=True)
class Setting:
    """whole: the group, in the plural. part, rest: the two classes of it. trait, not_trait: what some of them did, and its opposite."""

    place: str
    whole: str
    part: str
    rest: str
    trait: str
    not_trait: str


SETTINGS = [Setting(**row) for row in TEXTS["settings"]]


def twin(rng: random.Random) -> Twin:
    s, city = rng.choice(SETTINGS), rng.choice(CITIES)
    while True:
        total = rng.randrange(20, 401, 10)
        part = rng.randrange(5, total - 4, 5)
        # The states differ in the share, or in the group of which it is a share.
        share, other = rng.sample(list(SHARES), 2)
        change_base = rng.random() < 0.5 and part != total - part
        if change_base:
            cases = [(share, "part"), (share, "whole")]
        else:
            base = "part" if rng.random() < 0.6 else "whole"
            cases = [(share, base), (other, base)]
        numbers = [f * (part if base == "part" else total) for f, base in cases]
        if all(n.denominator == 1 and n > 0 for n in numbers) and numbers[0] != numbers[1]:
            break
    pairs = list(zip(cases, (int(n) for n in numbers), strict=True))
    rng.shuffle(pairs)
    cases, numbers = [p[0] for p in pairs], [p[1] for p in pairs]
    forms = rng.choice(TEXTS["whole"]), rng.choice(TEXTS["part"]), rng.randrange(6)
    share_style, title = rng.random(), rng.choice([None, cap(s.place), "Figures", "Annual report", "Summary"])
    swap = rng.random() < 0.3
    asides = {"n": number(rng, rng.randint(3, total)), "city": rng.choice(CITIES), "days": number(rng, rng.randint(2, 12))}
    aside = rng.choice(formatted(TEXTS["asides"], place=s.place, **asides))

    def render(case: tuple[Fraction, str], local: random.Random) -> State:
        fraction, base = case
        style = SHARES[fraction]
        values = {
            "place": s.place,
            "city": city,
            "n": number(local, total),
            "N": cap(number(local, total)),
            "k": number(local, part, 0.3),
            "whole": s.whole,
            "part": s.part,
            "rest": s.rest,
            "trait": s.trait,
            "share": style[int(share_style * len(style))],
        }
        lines = [forms[0], forms[1], (TEXTS["of_part"] if base == "part" else TEXTS["of_whole"])[forms[2]]]
        told = [cap(line.format(**values)) for line in lines]
        if swap and not any(words in told[1] for words in ("Of these", "Among them", "Some are")):
            told = [told[0], told[2], told[1]]
        if aside:
            told.append(aside)
        return lay_out(local, with_asides(local, told, 1), title)

    states = both(render, cases, rng)
    bases = tuple(base for _, base in cases)

    def noun(base: str) -> str:
        return s.part if base == "part" else s.whole

    questions = []
    # With the same group in both states, its numbers can be asked for.
    if bases[0] == bases[1]:
        which = noun(bases[0])
        size = part if bases[0] == "part" else total
        tempting = [size, size - numbers[0], size - numbers[1], total, part, total - part, total - numbers[0]]
        tempting += [int(fraction * (total if bases[0] == "part" else part)) for fraction, _ in cases]
        asked = rng.random() < 0.6
        right = numbers if asked else [size - n for n in numbers]
        how_many = formatted(TEXTS["how_many"], which=which, trait=s.trait if asked else s.not_trait, Which=cap(which))
        questions.append(pick(rng, how_many, (str(right[0]), str(right[1])), [str(n) for n in tempting if n > 0], most=7))
        limit = rng.randrange(min(numbers), max(numbers))
        values = {"limit": limit, "next": limit + 1, "which": which, "trait": s.trait, "not_trait": s.not_trait}
        more_than, at_most = formatted(TEXTS["more_than"], **values), formatted(TEXTS["at_most"], **values)
        questions.append(polar(rng, (numbers[0] > limit, numbers[1] > limit), more_than, at_most))
        half = tuple((2 * n > size) - (2 * n < size) + 1 for n in numbers)
        if half[0] != half[1]:
            questions.append(score(rng.choice(formatted(TEXTS["ask_portion"], **values)), TEXTS["portions"], half))
            if {0, 2} == set(half):
                most, not_most = formatted(TEXTS["most"], **values), formatted(TEXTS["not_most"], **values)
                questions.append(polar(rng, (half[0] == 2, half[1] == 2), most, not_most))
    else:
        share_name = rng.choice(SHARES[share])
        of_part = tuple(base == "part" for base in bases)
        values = {"whole": s.whole, "part": s.part, "rest": s.rest, "trait": s.trait}
        share_of_part, share_of_whole = formatted(TEXTS["share_of_part"], **values), formatted(TEXTS["share_of_whole"], **values)
        questions.append(polar(rng, of_part, share_of_part, share_of_whole))
        sizes = tuple(str(part if p else total) for p in of_part)
        wrong = [str(total - part), str(numbers[0]), str(numbers[1])]
        questions.append(pick(rng, formatted(TEXTS["ask_base"], Share=cap(share_name), **values), sizes, wrong, most=5))
        wrong = [str(n) for n in (total, part, total - part, total - numbers[0], abs(part - numbers[1]))]
        questions.append(pick(rng, formatted(TEXTS["ask_share"], **values), (str(numbers[0]), str(numbers[1])), wrong, most=6))
        if rng.random() < 0.5:
            ask_group = formatted(TEXTS["ask_group"], share=share_name.removesuffix(" of"))
            questions.append(pick(rng, ask_group, tuple(noun(base) for base in bases), [s.rest], most=3, fixed=True))
    return Twin(states, questions)
