"""Teaches plain negation: what a thing has and lacks, told with 'no', 'without', 'neither', 'missing' or 'free of'."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from .parts.asking import both, pick, polar, without_repeats
from .parts.layouts import lay_out, with_asides
from .parts.people import CITIES, firms, people
from .parts.shapes import filled, formatted
from .parts.text_files import load_texts
from .parts.twin import Twin, score
from .parts.wording import cap, listed, words

TEXTS = load_texts("negation")


@dataclass(frozen=True)
class Setting:
    """subjects: what is described, with a city {c}, a firm {f} or a person {p}. features: what it may have.

    forms: the name of the forms below. has, lacks: the subject {s} has or lacks {x}, or {b} without an article.
    neither: it lacks {x2} or {b2} as well. ask_has, ask_lacks: questions whether it has or lacks the feature.
    """

    forms: str
    subjects: tuple[str, ...]
    features: tuple[str, ...]
    has: tuple[str, ...]
    lacks: tuple[str, ...]
    neither: tuple[str, ...]
    ask_has: tuple[str, ...]
    ask_lacks: tuple[str, ...]


SETTINGS = [Setting(**row, **TEXTS["forms"][row["forms"]]) for row in TEXTS["settings"]]
PLURAL = {"burst pipes", "legal costs", "cancelled trips", "hospital stays"}  # the forms are in the singular


def bare(feature: str) -> str:
    return feature.removeprefix("a ").removeprefix("an ")


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    subject = rng.choice(s.subjects).format(c=rng.choice(CITIES), f=firms(rng, 1)[0], p=people(rng, 1)[0].name)
    pool = [f for f in s.features if f not in PLURAL]
    features = rng.sample(pool, rng.randint(3, 5))
    present = [rng.random() < 0.5 for _ in features]
    cases = [[True, *present[1:]], [False, *present[1:]]]
    if rng.random() >= 0.5:
        cases.reverse()
    keep_article = s.forms == "symptom"

    def words_of(f: str) -> dict[str, str]:
        return {"s": subject, "x": f, "X": cap(f), "b": f if keep_article else bare(f), "B": cap(f)}

    rival = rng.choice(s.subjects).format(c=rng.choice(CITIES), f=firms(rng, 1)[0], p=people(rng, 1)[0].name)
    has_rival = rng.random() < 0.5 and rival != subject

    def named(forms: Sequence[str]) -> Sequence[str]:
        """With a second subject in the text, every sentence must name its own."""
        return [f for f in forms if "{s}" in f] if has_rival else forms

    has_forms, lack_forms = [rng.choice(named(s.has)) for _ in features], [rng.choice(named(s.lacks)) for _ in features]
    rival_line = rng.choice(named([*s.has, *s.lacks])).format(**{**words_of(features[0]), "s": rival})
    summary, order = rng.random() < 0.3, rng.sample(range(len(features)), len(features))
    summary_form = rng.choice(TEXTS["summaries"])
    neither = rng.random() < 0.4

    def render(case: list[bool], local: random.Random) -> object:
        yes, no = [features[i] for i in order if case[i]], [features[i] for i in order if not case[i]]
        if summary and yes and no:
            return cap(summary_form.format(s=subject, yes=listed(yes), no=listed(no)))
        if summary and local.random() < 0.7:
            return {"of": subject, **{bare(features[i]).replace(" ", "_"): case[i] for i in order}}
        lines = []
        paired = [i for i in order if not case[i]][:2] if neither and len(no) > 1 else []
        for i in order:
            if i in paired:
                if i == paired[0]:
                    second = features[paired[1]]
                    lines.append(local.choice(named(s.neither)).format(**words_of(features[i]), b2=words_of(second)["b"], x2=second))
            else:
                lines.append((has_forms if case[i] else lack_forms)[i].format(**words_of(features[i])))
        if has_rival:
            lines.insert(local.randrange(len(lines) + 1), rival_line)
        head = f"{cap(subject)}. " if not any(subject in line for line in lines) else ""
        text = lay_out(local, with_asides(local, [cap(line) for line in lines]), None)
        if isinstance(text, str) and not text.startswith(("H", "D", "G")):
            return head + text
        return {"about": subject, "notes": text} if head else text

    states = both(render, cases, rng)
    w = words_of(features[0])
    truth = (cases[0][0], cases[1][0])
    ask_has, ask_lacks = filled(s.ask_has, **w), filled(s.ask_lacks, **w)
    questions = [polar(rng, truth, ask_has, ask_lacks, (f"yes: {w['b']}", f"no {w['b']}"))]
    total = tuple(sum(case) for case in cases)
    if rng.random() < 0.5:
        how_many = formatted(TEXTS["how_many"], subject=subject, features=listed(features))
        counts = [words(k) for k in range(len(features) + 1)]
        questions.append(pick(rng, how_many, (words(total[0]), words(total[1])), counts, most=6, fixed=True))
    # The feature that differs, among those that are absent or present in both states.
    absent = [f for f, here in zip(features[1:], present[1:], strict=True) if not here]
    there = [f for f, here in zip(features[1:], present[1:], strict=True) if here]
    if rng.random() < 0.7:
        if absent and rng.random() < 0.5:
            right = tuple(features[0] if case[0] else "none of them" for case in cases)
            which_has = formatted(TEXTS["which_has"], subject=subject, Subject=cap(subject))
            questions.append(pick(rng, which_has, right, absent, most=6, fixed=True))
        elif there:
            right = tuple("none of them" if case[0] else features[0] for case in cases)
            which_lacks = formatted(TEXTS["which_lacks"], subject=subject, Subject=cap(subject))
            questions.append(pick(rng, which_lacks, right, there, most=6, fixed=True))
    if rng.random() < 0.6:
        other = rng.randrange(1, len(features))
        x, y = features[0], features[other]
        labels = {(True, True): "both", (True, False): f"only {x}", (False, True): f"only {y}", (False, False): "neither"}
        which_of_two = formatted(TEXTS["which_of_two"], subject=subject, Subject=cap(subject), x=x, X=cap(x), y=y)
        right = tuple(labels[case[0], case[other]] for case in cases)
        questions.append(pick(rng, which_of_two, right, list(labels.values()), most=4, fixed=True))
    levels = tuple(0 if n == 0 else 3 if n == len(features) else 1 if 2 * n < len(features) else 2 for n in total)
    if levels[0] != levels[1] and rng.random() < 0.5:
        questions.append(score(f"For {subject}, how many of {listed(features)} are affirmed?", TEXTS["shares"], levels))
    if len(questions) == 1:
        questions.append(polar(rng, truth, ask_has, ask_lacks))
    return Twin(states, without_repeats(questions))
