"""Teaches plain negation: what a thing has and lacks, told with no, without, except, neither, missing, only, free of."""
import random
from dataclasses import dataclass

from .asking import both, pick, polar, without_repeats
from .people import CITIES, firms, people
from .twin import Twin, score
from .wording import cap, lay_out, listed, with_asides, words


@dataclass(frozen=True)
class Setting:
    """subjects: what is described, '{f}' or '{p}' or '{c}' being a name; features: what it may have; has/lacks: forms with {s} and {x}; verb: how a question says it, as 'offer'."""

    subjects: tuple[str, ...]
    features: tuple[str, ...]
    has: tuple[str, ...]
    lacks: tuple[str, ...]
    neither: tuple[str, ...]
    ask_has: tuple[str, ...]
    ask_lacks: tuple[str, ...]


HAS = ('{s} has {x}.', '{x} is there.', '{s} comes with {x}.', 'You will find {x}.', 'Present: {x}.', '{s} is equipped with {x}.', 'One thing that can be counted on is {x}.')
LACKS = ('{s} has no {b}.', '{s} comes without {x}.', '{s} lacks {x}.', 'There is no {b}.', 'Missing: {x}.', 'You will look in vain for {x}.', '{x} is the one thing people keep asking for, as there is none.', 'Not present: {x}.')
NEITHER = ('There is neither {b} nor {b2}.', '{s} has no {b} and no {b2} either.', '{s} does without {x}, and without {x2} as well.', 'Both {x} and {x2} are absent.', 'Neither {b} nor {b2} can be had.')
ASK_HAS = ('{s} has {x}.', 'Does {s} offer {x}?', 'Does {s} come with {x}?', 'X', '{X} is part of {s}.', 'Will one find {x} there, that is, with {s}?')
ASK_LACKS = ('{s} has no {b}.', 'Is {x} absent from {s}?', 'Does {s} do without {x}?', 'Would somebody who depends on {x} be disappointed with {s}?', '{X} is not part of {s}.', 'Will one look for {x} in vain, with {s}?')
FOOD_HAS = ('{s} contains {b}.', '{b} went into {s}.', 'With {b}.', 'Ingredients include {b}.', 'The cook added {b}.', 'Traces and more of {b}.')
FOOD_LACKS = ('{s} contains no {b}.', '{s} is free of {b}.', 'Without {b}.', 'The cook left out {b}.', '{b}-free.', 'Not a trace of {b}.', 'No {b} went into {s}.')
FOOD_NEITHER = ('{s} contains neither {b} nor {b2}.', 'Without {b} or {b2}.', 'Free of both {b} and {b2}.', 'No {b}, no {b2}.', 'The cook used neither {b} nor {b2}.')
FOOD_ASK_HAS = ('{s} contains {b}.', 'Is {b} in {s}?', 'Must somebody with an allergy to {b} leave {s} alone?', 'Was {b} used for {s}?', 'A guest who cannot take {b} should avoid {s}.')
FOOD_ASK_LACKS = ('{s} contains no {b}.', 'Is {s} free of {b}?', 'Can somebody with an allergy to {b} have {s}?', 'Was {b} left out of {s}?', 'A guest who cannot take {b} may eat {s}.')
SICK_HAS = ('{s} reports {b}.', '{s} suffers from {b}.', '{s} complains of {b}.', 'On asking: {b}.', '{s} has had {b} since Monday.', '{b} noted.')
SICK_LACKS = ('{s} denies {b}.', 'No {b}.', '{s} has no {b}.', '{b} not present.', 'No sign of {b}.', '{s} has been spared {b}.', 'On asking: no {b}.')
SICK_NEITHER = ('{s} has neither {b} nor {b2}.', 'No {b} or {b2}.', '{s} denies both {b} and {b2}.', 'Neither {b} nor {b2} present.', 'Without {b} or {b2}.')
SICK_ASK_HAS = ('{s} has {b}.', 'Is {b} among the symptoms of {s}?', 'Does {s} suffer from {b}?', 'Did {s} say yes to {b}?', '{B} is part of the picture with {s}.')
SICK_ASK_LACKS = ('{s} is without {b}.', 'Is {b} absent in {s}?', 'Was {s} spared {b}?', 'Did {s} say no to {b}?', '{B} is no part of the picture with {s}.')
COVER_HAS = ('{s} covers {b}.', '{b} is insured.', 'Included: {b}.', '{s} pays for {b}.', '{b} falls within the cover.', 'Under {s} you are protected against {b}.')
COVER_LACKS = ('{s} does not cover {b}.', '{b} is not insured.', 'Excluded: {b}.', '{s} pays nothing for {b}.', '{b} falls outside the cover.', 'Under {s} you bear {b} yourself.')
COVER_NEITHER = ('{s} covers neither {b} nor {b2}.', 'Excluded are {b} and {b2}.', '{s} pays nothing for {b} or {b2}.', 'Neither {b} nor {b2} is insured.', 'You bear {b} and {b2} yourself.')
COVER_ASK_HAS = ('{s} covers {b}.', 'Is {b} insured by {s}?', 'Under {s}, would a claim for {b} be paid?', 'Does {s} step in for {b}?', 'Somebody with {s} can claim for {b}.')
COVER_ASK_LACKS = ('{s} leaves {b} out.', 'Is {b} excluded from {s}?', 'Under {s}, would a claim for {b} be turned down?', 'Must a holder of {s} bear {b}?', 'Somebody with {s} cannot claim for {b}.')
SETTINGS = [
    Setting(('the guesthouse in {c}', 'the flat in {c}', 'the hostel near {c}', 'the villa outside {c}', 'the hotel in {c}', 'the campsite at {c}'), ('a lift', 'a sauna', 'a car park', 'a kitchen', 'a garden', 'a balcony', 'a pool', 'a washing machine', 'a bar', 'a bicycle shed', 'a reading room', 'a fireplace'), HAS, LACKS, NEITHER, ASK_HAS, ASK_LACKS),
    Setting(('the {f} app', 'the {f} plan', 'the portal of {f}', 'the {f} toolkit', 'the agent from {f}', 'the {f} server'), ('a dark mode', 'a search box', 'an audit log', 'a calendar view', 'a test mode', 'an undo button', 'a rate limit', 'a spell checker', 'a mobile version', 'a backup function', 'a web hook', 'a help line'), HAS, LACKS, NEITHER, ASK_HAS, ASK_LACKS),
    Setting(("{p}'s soup", "{p}'s cake", 'the curry', 'the house salad', 'the lentil stew', 'the birthday cake', "{p}'s pasta sauce", 'the vegetable pie'), ('milk', 'celery', 'egg', 'mustard', 'soy', 'sesame', 'peanut', 'wheat', 'fish stock', 'wine', 'garlic', 'butter'), FOOD_HAS, FOOD_LACKS, FOOD_NEITHER, FOOD_ASK_HAS, FOOD_ASK_LACKS),
    Setting(('{p}', 'the patient', 'the child', '{p}', "{p}'s mother"), ('fever', 'headache', 'nausea', 'dizziness', 'a cough', 'back pain', 'shortness of breath', 'a rash', 'a sore throat', 'blurred vision', 'chest pain', 'swelling'), SICK_HAS, SICK_LACKS, SICK_NEITHER, SICK_ASK_HAS, SICK_ASK_LACKS),
    Setting(('the {f} policy', 'the basic policy', 'the travel policy from {f}', 'the household contract', "{p}'s policy", 'the {f} contract'), ('theft', 'storm damage', 'burst pipes', 'lost luggage', 'broken glass', 'legal costs', 'dental treatment', 'flood damage', 'fire', 'cancelled trips', 'hospital stays', 'damage by pets'), COVER_HAS, COVER_LACKS, COVER_NEITHER, COVER_ASK_HAS, COVER_ASK_LACKS),
]
PLURAL = {'burst pipes', 'legal costs', 'cancelled trips', 'hospital stays'}


def bare(feature: str) -> str:
    return feature.removeprefix('a ').removeprefix('an ')


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    subject = rng.choice(s.subjects).format(c=rng.choice(CITIES), f=firms(rng, 1)[0], p=people(rng, 1)[0].name)
    pool = [f for f in s.features if f not in PLURAL]  # the forms speak of one thing
    features = rng.sample(pool, rng.randint(3, 5))
    present = [rng.random() < .5 for _ in features]
    first = [True, *present[1:]]
    second = [False, *present[1:]]
    cases = [first, second] if rng.random() < .5 else [second, first]
    keep_article = s.has is SICK_HAS
    words_of = lambda f: {'s': subject, 'x': f, 'X': cap(f), 'b': f if keep_article else bare(f), 'B': cap(f)}
    rival = rng.choice(s.subjects).format(c=rng.choice(CITIES), f=firms(rng, 1)[0], p=people(rng, 1)[0].name)
    has_rival = rng.random() < .5 and rival != subject
    named = lambda forms: [f for f in forms if '{s}' in f] if has_rival else forms  # with a second subject about, every sentence must name its own
    has_forms, lack_forms = [rng.choice(named(s.has)) for _ in features], [rng.choice(named(s.lacks)) for _ in features]
    rival_line = rng.choice(named([*s.has, *s.lacks])).format(**{'s': rival, 'x': features[0], 'b': features[0] if s.has is SICK_HAS else bare(features[0])})
    summary, order = rng.random() < .3, rng.sample(range(len(features)), len(features))
    all_form = rng.choice(['{s}: {yes}. Nothing else from our list.', 'From the list we ticked {yes} for {s}; the rest was crossed out: {no}.', 'Yes to {yes}; no to {no}. ({s})', '{s} - yes: {yes}; no: {no}'])
    neither = rng.random() < .4

    def render(case: list[bool], local: random.Random) -> object:
        yes, no = [features[i] for i in order if case[i]], [features[i] for i in order if not case[i]]
        if summary and yes and no:
            return cap(all_form.format(s=subject, yes=listed(yes), no=listed(no)))
        if summary and local.random() < .7:
            return {'of': subject, **{bare(features[i]).replace(' ', '_'): case[i] for i in order}}
        lines = []
        paired = [i for i in order if not case[i]][:2] if neither and len(no) > 1 else []
        for i in order:
            if i in paired:
                if i == paired[0]:
                    lines.append(local.choice(named(s.neither)).format(**{**words_of(features[i]), 'b2': words_of(features[paired[1]])['b'], 'x2': features[paired[1]]}))
            else:
                lines.append((has_forms if case[i] else lack_forms)[i].format(**words_of(features[i])))
        if has_rival:
            lines.insert(local.randrange(len(lines) + 1), rival_line)
        head = f'{cap(subject)}. ' if not any(subject in line for line in lines) else ''
        text = lay_out(local, with_asides(local, [cap(line) for line in lines]), None)
        return head + text if isinstance(text, str) and not text.startswith(('H', 'D', 'G')) else text if not head else {'about': subject, 'notes': text}

    states = both(render, cases, rng)
    w = words_of(features[0])
    fill = lambda forms: [cap(f.format(**w)) for f in forms]
    truth = (cases[0][0], cases[1][0])
    questions = [polar(rng, truth, fill(s.ask_has), fill(s.ask_lacks), (f"yes: {w['b']}", f"no {w['b']}"))]
    total = tuple(sum(case) for case in cases)
    if rng.random() < .5:
        questions.append(pick(rng, [f"How many of these does the text affirm for {subject}: {listed(features)}?", f'Of {listed(features)}, how many are affirmed of {subject}?'], (words(total[0]), words(total[1])), [words(k) for k in range(len(features) + 1)], most=6, fixed=True))
    # one that differs, among those that stay the same and are of the other kind
    absent = [f for f, here in zip(features[1:], present[1:], strict=True) if not here]
    there = [f for f, here in zip(features[1:], present[1:], strict=True) if here]
    if rng.random() < .7:
        if len(absent) >= 1 and rng.random() < .5:
            right = tuple(features[0] if case[0] else 'none of them' for case in cases)
            questions.append(pick(rng, [f'Which of these is affirmed for {subject}?', f'{cap(subject)}: which one applies?', f'Only one of these can be right of {subject}, if any. Which is not denied?'], right, absent, most=6, fixed=True))
        elif there:
            right = tuple('none of them' if case[0] else features[0] for case in cases)
            questions.append(pick(rng, [f'Which of these is ruled out for {subject}?', f'{cap(subject)}: which one is denied?', f'What does not hold for {subject}?'], right, there, most=6, fixed=True))
    if len(features) > 1 and rng.random() < .6:
        other = rng.randrange(1, len(features))
        labels = {(True, True): 'both', (True, False): f'only {features[0]}', (False, True): f'only {features[other]}', (False, False): 'neither'}
        questions.append(pick(rng, [f'{cap(features[0])} and {features[other]}: which does the text affirm of {subject}?', f'{cap(subject)}, {features[0]}, {features[other]}:', f'Affirmed of {subject}, out of {features[other]} and {features[0]}:'], tuple(labels[case[0], case[other]] for case in cases), list(labels.values()), most=4, fixed=True))
    levels = tuple(0 if n == 0 else 3 if n == len(features) else 1 if 2 * n < len(features) else 2 for n in total)
    if levels[0] != levels[1] and rng.random() < .5:
        questions.append(score(f'For {subject}, how many of {listed(features)} are affirmed?', ['none', 'some, but fewer than half', 'half or more, not all', 'all'], levels))
    if len(questions) == 1:
        questions.append(polar(rng, truth, fill(s.ask_has), fill(s.ask_lacks)))
    return Twin(states, without_repeats(questions))
