"""Teaches parts and wholes: shares of a group, shares of a part of it, what is left over, and whether 'of them' means the whole or the part."""
import random
from dataclasses import dataclass
from fractions import Fraction

from .asking import both, pick, polar
from .people import CITIES
from .twin import State, Twin, score
from .wording import cap, lay_out, number, with_asides

SHARES = {Fraction(1, 2): ('half of', '50 percent of', 'one in two of', 'every second one of'), Fraction(1, 3): ('a third of', 'one in three of', 'one third of'), Fraction(2, 3): ('two thirds of', 'two in three of', 'two out of three of'), Fraction(1, 4): ('a quarter of', '25 percent of', 'one in four of', 'every fourth of'), Fraction(3, 4): ('three quarters of', '75 percent of', 'three in four of'),
          Fraction(1, 5): ('a fifth of', '20 percent of', 'one in five of'), Fraction(2, 5): ('two fifths of', '40 percent of', 'two in five of'), Fraction(4, 5): ('four fifths of', '80 percent of', 'four in five of'), Fraction(1, 10): ('a tenth of', 'ten percent of', 'one in ten of'), Fraction(3, 5): ('three fifths of', '60 percent of', 'three out of five of')}


@dataclass(frozen=True)
class Setting:
    """whole: plural noun of the group. part: a class of it, with its counterpart. trait: what some of them are or did (verb phrase, past), with its opposite."""

    place: str
    whole: str
    part: str
    rest: str
    trait: str
    not_trait: str


S = Setting
SETTINGS = [
    S('school', 'pupils', 'girls', 'boys', 'chose Latin', 'did not choose Latin'), S('school', 'pupils', 'day pupils', 'boarders', 'passed the swimming test', 'failed the swimming test'), S('firm', 'employees', 'engineers', 'others on the staff', 'work from home', 'come to the office'), S('clinic', 'patients', 'children', 'adults', 'had been vaccinated', 'had not been vaccinated'),
    S('warehouse', 'crates', 'blue crates', 'grey crates', 'were damaged', 'were sound'), S('fleet', 'vehicles', 'vans', 'lorries', 'run on electricity', 'run on diesel'), S('server park', 'machines', 'database machines', 'web machines', 'were patched', 'went without the patch'), S('survey', 'respondents', 'tenants', 'owners', 'favour the new tram', 'are against the new tram'),
    S('library', 'books', 'novels', 'textbooks', 'were on loan', 'stood on the shelf'), S('club', 'members', 'seniors', 'juniors', 'had paid the fee', 'owed the fee'), S('bank', 'accounts', 'savings accounts', 'current accounts', 'have a card', 'have no card'), S('farm', 'trees', 'apple trees', 'pear trees', 'bore fruit', 'stayed bare'),
    S('hotel', 'rooms', 'double rooms', 'single rooms', 'look out on the sea', 'look out on the yard'), S('inbox', 'messages', 'complaints', 'inquiries', 'were answered the same day', 'waited longer for an answer'), S('festival', 'visitors', 'day guests', 'campers', 'came by train', 'came by other means'), S('agent run', 'tool calls', 'search calls', 'write calls', 'failed', 'succeeded'),
]
WHOLE = ('The {place} in {city} counts {n} {whole}.', 'There are {n} {whole} in all at the {place} in {city}.', '{N} {whole}: that is the total for the {place} in {city}.', 'We looked at {n} {whole} of the {place} in {city}.', 'In {city} the {place} has {n} {whole}, no more and no less.', 'Total of {whole} at the {place}, {city}: {n}.')
PART = ('{k} of the {whole} are {part}, the rest {rest}.', 'Of these, {k} are {part}; all others are {rest}.', 'Among them are {k} {part}; the remaining ones are {rest}.', 'The {whole} fall into {part} ({k}) and {rest}.', 'There are {k} {part} among the {whole}, and the rest are {rest}.', 'Some are {rest}, but {k} are {part}.')
OF_PART = ('{share} the {part} {trait}.', 'As for the {part}, {share} them {trait}.', '{share} the {k} {part} {trait}, and so far we know only of them.', 'Of the {part} alone: {share} these {trait}.', 'It was noted that {share} the {part} {trait}.', 'Look at the {part}: {share} them {trait}.')
OF_WHOLE = ('{share} the {whole} {trait}.', 'As for the {whole} as a whole, {share} them {trait}.', '{share} the {n} {whole} {trait}, taken all together.', 'Of all {whole}: {share} these {trait}.', 'It was noted that {share} all the {whole} {trait}.', 'Look at the entire group of {whole}: {share} them {trait}.')


def twin(rng: random.Random) -> Twin:
    s, city = rng.choice(SETTINGS), rng.choice(CITIES)
    while True:
        total, part = rng.randrange(20, 401, 10), 0
        part = rng.randrange(5, total - 4, 5)
        # the share as said, and of whom: the twin changes one of the two
        share, other = rng.sample(list(SHARES), 2)
        change_base = rng.random() < .5 and part != total - part
        cases = [(share, 'part'), (share, 'whole')] if change_base else [(share, 'part'), (other, 'part')] if rng.random() < .6 else [(share, 'whole'), (other, 'whole')]
        numbers = [f * (part if base == 'part' else total) for f, base in cases]
        if all(n.denominator == 1 and n > 0 for n in numbers) and numbers[0] != numbers[1]:
            break
    pairs = list(zip(cases, (int(n) for n in numbers), strict=True))
    rng.shuffle(pairs)
    cases, numbers = [p[0] for p in pairs], [p[1] for p in pairs]
    forms = rng.choice(WHOLE), rng.choice(PART), rng.randrange(6)
    share_style, title = rng.random(), rng.choice([None, cap(s.place), 'Figures', 'Annual report', 'Summary'])
    swap = rng.random() < .3
    aside = rng.choice(['', '', f'Last year it was {number(rng, rng.randint(3, total))}.', f'The {s.place} in {rng.choice(CITIES)} did not send figures.', 'All numbers were checked twice.', f'The counting took {number(rng, rng.randint(2, 12))} days.'])

    def render(case: tuple[Fraction, str], local: random.Random) -> State:
        fraction, base = case
        style = SHARES[fraction]
        values = {'place': s.place, 'city': city, 'n': number(local, total), 'N': cap(number(local, total)), 'k': number(local, part, .3), 'whole': s.whole, 'part': s.part, 'rest': s.rest, 'trait': s.trait, 'share': style[int(share_style * len(style))]}
        lines = [forms[0], forms[1], (OF_PART if base == 'part' else OF_WHOLE)[forms[2]]]
        told = [cap(line.format(**values)) for line in lines]
        if swap:
            told = [told[0], told[2], told[1]] if 'Of these' not in told[1] and 'Among them' not in told[1] and 'Some are' not in told[1] else told
        if aside:
            told.append(aside)
        return lay_out(local, with_asides(local, told, 1), title)

    states = both(render, cases, rng)
    bases = tuple(base for _, base in cases)
    noun = lambda base: s.part if base == 'part' else s.whole
    questions = []
    # a count that can be told in both states: with a share of the part, of the part; with a share of the whole, of the whole
    if bases[0] == bases[1]:
        which = noun(bases[0])
        size = part if bases[0] == 'part' else total
        tempting = [size, size - numbers[0], size - numbers[1], total, part, total - part, total - numbers[0]] + [int(f * (total if bases[0] == 'part' else part)) for f, _ in cases]
        asked = rng.random() < .6
        right = numbers if asked else [size - n for n in numbers]
        questions.append(pick(rng, [f'How many of the {which} {s.trait if asked else s.not_trait}?', f'Number of {which} that {s.trait if asked else s.not_trait}:', f'{cap(which)} that {s.trait if asked else s.not_trait}: how many?'],
                              (str(right[0]), str(right[1])), [str(x) for x in tempting if x > 0], most=7))
        limit = rng.randrange(min(numbers), max(numbers))
        questions.append(polar(rng, (numbers[0] > limit, numbers[1] > limit), [f'More than {limit} of the {which} {s.trait}.', f'Is it true of over {limit} {which} that they {s.trait}?', f'At least {limit + 1} {which} {s.trait}.'], [f'At most {limit} of the {which} {s.trait}.', f'Is it true of no more than {limit} {which} that they {s.trait}?', f'Fewer than {limit + 1} {which} {s.trait}.']))
        half = tuple((2 * n > size) - (2 * n < size) + 1 for n in numbers)
        if half[0] != half[1]:
            questions.append(score(rng.choice([f'How large a portion of the {which} {s.trait}?', f'The {which} that {s.trait}, as a portion of all {which}:']), ['a minority', 'exactly half', 'a majority'], half))
            if {0, 2} == set(half):
                questions.append(polar(rng, (half[0] == 2, half[1] == 2), [f'Most of the {which} {s.trait}.', f'The {which} that {s.trait} are in the majority among the {which}.', f'Is it the larger portion of the {which} that {s.trait}?'], [f'Most of the {which} {s.not_trait}.', f'The {which} that {s.trait} are outnumbered among the {which}.', f'Is it the smaller portion of the {which} that {s.trait}?']))
    else:
        share_name = rng.choice(SHARES[share])
        of_part = tuple(base == 'part' for base in bases)
        questions.append(polar(rng, of_part, [f'The share is a share of the {s.part} only.', f'Does the share stated leave the {s.rest} out of account?', f'From the text one knows how many of the {s.part} {s.trait}.'], [f'The share is a share of {s.part} and {s.rest} together.', f'Does the share stated take in the {s.rest}?', f'From the text one cannot tell how many of the {s.part} {s.trait}.']))
        questions.append(pick(rng, [f'How many {s.whole} make up the group of which the share is taken?', f'"{cap(share_name)}" how many?', 'Out of how many is the share taken?'], tuple(str(part if p else total) for p in of_part), [str(total - part), str(numbers[0]), str(numbers[1])], most=5))
        questions.append(pick(rng, [f'To how many does the share stated come, those that {s.trait}?', f'Those counted that {s.trait}:', f'The share stands for how many {s.whole} that {s.trait}?'], (str(numbers[0]), str(numbers[1])), [str(total), str(part), str(total - part), str(total - numbers[0]), str(abs(part - numbers[1]))], most=6))
        if rng.random() < .5:
            questions.append(pick(rng, ['Of whom or what is the share taken?', f'Which group is the base of "{share_name.removesuffix(" of")}"?'], tuple(noun(base) for base in bases), [s.rest], most=3, fixed=True))
    return Twin(states, questions)
