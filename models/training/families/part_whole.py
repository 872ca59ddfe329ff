"""Teaches parts and wholes: shares of a group, shares of a part of it, what is left over, and whether 'of them' means the whole or the part."""

import random
from dataclasses import dataclass
from fractions import Fraction

from .asking import both, pick, polar
from .layouts import lay_out, with_asides
from .people import CITIES
from .shapes import formatted
from .text_files import load_texts
from .twin import State, Twin, score
from .wording import cap, number

TEXTS = load_texts("part_whole")
SHARES = {
    Fraction(1, 2): ("half of", "50 percent of", "one in two of", "every second one of"),
    Fraction(1, 3): ("a third of", "one in three of", "one third of"),
    Fraction(2, 3): ("two thirds of", "two in three of", "two out of three of"),
    Fraction(1, 4): ("a quarter of", "25 percent of", "one in four of", "every fourth of"),
    Fraction(3, 4): ("three quarters of", "75 percent of", "three in four of"),
    Fraction(1, 5): ("a fifth of", "20 percent of", "one in five of"),
    Fraction(2, 5): ("two fifths of", "40 percent of", "two in five of"),
    Fraction(4, 5): ("four fifths of", "80 percent of", "four in five of"),
    Fraction(1, 10): ("a tenth of", "ten percent of", "one in ten of"),
    Fraction(3, 5): ("three fifths of", "60 percent of", "three out of five of"),
}


@dataclass(frozen=True)
class Setting:
    """whole: plural noun of the group. part: a class of it, with its counterpart. trait: what some of them are or did (verb phrase, past), with its opposite."""

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
        total, part = rng.randrange(20, 401, 10), 0
        part = rng.randrange(5, total - 4, 5)
        # the share as said, and of whom: the twin changes one of the two
        share, other = rng.sample(list(SHARES), 2)
        change_base = rng.random() < 0.5 and part != total - part
        cases = (
            [(share, "part"), (share, "whole")]
            if change_base
            else [(share, "part"), (other, "part")]
            if rng.random() < 0.6
            else [(share, "whole"), (other, "whole")]
        )
        numbers = [f * (part if base == "part" else total) for f, base in cases]
        if all(n.denominator == 1 and n > 0 for n in numbers) and numbers[0] != numbers[1]:
            break
    pairs = list(zip(cases, (int(n) for n in numbers), strict=True))
    rng.shuffle(pairs)
    cases, numbers = [p[0] for p in pairs], [p[1] for p in pairs]
    forms = rng.choice(TEXTS["whole"]), rng.choice(TEXTS["part"]), rng.randrange(6)
    share_style, title = rng.random(), rng.choice([None, cap(s.place), "Figures", "Annual report", "Summary"])
    swap = rng.random() < 0.3
    aside = rng.choice(
        [
            "",
            "",
            f"Last year it was {number(rng, rng.randint(3, total))}.",
            f"The {s.place} in {rng.choice(CITIES)} did not send figures.",
            "All numbers were checked twice.",
            f"The counting took {number(rng, rng.randint(2, 12))} days.",
        ]
    )

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
        if swap:
            told = (
                [told[0], told[2], told[1]]
                if "Of these" not in told[1] and "Among them" not in told[1] and "Some are" not in told[1]
                else told
            )
        if aside:
            told.append(aside)
        return lay_out(local, with_asides(local, told, 1), title)

    states = both(render, cases, rng)
    bases = tuple(base for _, base in cases)

    def noun(base):
        return s.part if base == "part" else s.whole

    questions = []
    # a count that can be told in both states: with a share of the part, of the part; with a share of the whole, of the whole
    if bases[0] == bases[1]:
        which = noun(bases[0])
        size = part if bases[0] == "part" else total
        tempting = [size, size - numbers[0], size - numbers[1], total, part, total - part, total - numbers[0]] + [
            int(f * (total if bases[0] == "part" else part)) for f, _ in cases
        ]
        asked = rng.random() < 0.6
        right = numbers if asked else [size - n for n in numbers]
        questions.append(
            pick(
                rng,
                formatted(TEXTS["how_many"], which=which, trait=s.trait if asked else s.not_trait, Which=cap(which)),
                (str(right[0]), str(right[1])),
                [str(x) for x in tempting if x > 0],
                most=7,
            )
        )
        limit = rng.randrange(min(numbers), max(numbers))
        questions.append(
            polar(
                rng,
                (numbers[0] > limit, numbers[1] > limit),
                formatted(TEXTS["more_than"], limit=limit, which=which, trait=s.trait, next=limit + 1),
                formatted(TEXTS["at_most"], limit=limit, which=which, trait=s.trait, next=limit + 1),
            )
        )
        half = tuple((2 * n > size) - (2 * n < size) + 1 for n in numbers)
        if half[0] != half[1]:
            questions.append(score(rng.choice(formatted(TEXTS["ask_portion"], which=which, trait=s.trait)), TEXTS["portions"], half))
            if {0, 2} == set(half):
                questions.append(
                    polar(
                        rng,
                        (half[0] == 2, half[1] == 2),
                        formatted(TEXTS["most"], which=which, trait=s.trait),
                        formatted(TEXTS["not_most"], which=which, not_trait=s.not_trait, trait=s.trait),
                    )
                )
    else:
        share_name = rng.choice(SHARES[share])
        of_part = tuple(base == "part" for base in bases)
        questions.append(
            polar(
                rng,
                of_part,
                formatted(TEXTS["share_of_part"], part=s.part, rest=s.rest, trait=s.trait),
                formatted(TEXTS["share_of_whole"], part=s.part, rest=s.rest, trait=s.trait),
            )
        )
        questions.append(
            pick(
                rng,
                formatted(TEXTS["ask_base"], whole=s.whole, Share=cap(share_name)),
                tuple(str(part if p else total) for p in of_part),
                [str(total - part), str(numbers[0]), str(numbers[1])],
                most=5,
            )
        )
        questions.append(
            pick(
                rng,
                formatted(TEXTS["ask_share"], trait=s.trait, whole=s.whole),
                (str(numbers[0]), str(numbers[1])),
                [str(total), str(part), str(total - part), str(total - numbers[0]), str(abs(part - numbers[1]))],
                most=6,
            )
        )
        if rng.random() < 0.5:
            questions.append(
                pick(
                    rng,
                    formatted(TEXTS["ask_group"], share=share_name.removesuffix(" of")),
                    tuple(noun(base) for base in bases),
                    [s.rest],
                    most=3,
                    fixed=True,
                )
            )
    return Twin(states, questions)
