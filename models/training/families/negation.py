"""Teaches plain negation: what a thing has and lacks, told with no, without, except, neither, missing, only, free of."""

import random
from dataclasses import dataclass

from .asking import both, pick, polar, without_repeats
from .layouts import lay_out, with_asides
from .people import CITIES, firms, people
from .shapes import formatted
from .text_files import load_texts
from .twin import Twin, score
from .wording import cap, listed, words

TEXTS = load_texts("negation")


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


SETTINGS = [
    Setting(
        (
            "the guesthouse in {c}",
            "the flat in {c}",
            "the hostel near {c}",
            "the villa outside {c}",
            "the hotel in {c}",
            "the campsite at {c}",
        ),
        (
            "a lift",
            "a sauna",
            "a car park",
            "a kitchen",
            "a garden",
            "a balcony",
            "a pool",
            "a washing machine",
            "a bar",
            "a bicycle shed",
            "a reading room",
            "a fireplace",
        ),
        TEXTS["has"],
        TEXTS["lacks"],
        TEXTS["neither"],
        TEXTS["ask_has"],
        TEXTS["ask_lacks"],
    ),
    Setting(
        ("the {f} app", "the {f} plan", "the portal of {f}", "the {f} toolkit", "the agent from {f}", "the {f} server"),
        (
            "a dark mode",
            "a search box",
            "an audit log",
            "a calendar view",
            "a test mode",
            "an undo button",
            "a rate limit",
            "a spell checker",
            "a mobile version",
            "a backup function",
            "a web hook",
            "a help line",
        ),
        TEXTS["has"],
        TEXTS["lacks"],
        TEXTS["neither"],
        TEXTS["ask_has"],
        TEXTS["ask_lacks"],
    ),
    Setting(
        (
            "{p}'s soup",
            "{p}'s cake",
            "the curry",
            "the house salad",
            "the lentil stew",
            "the birthday cake",
            "{p}'s pasta sauce",
            "the vegetable pie",
        ),
        ("milk", "celery", "egg", "mustard", "soy", "sesame", "peanut", "wheat", "fish stock", "wine", "garlic", "butter"),
        TEXTS["food_has"],
        TEXTS["food_lacks"],
        TEXTS["food_neither"],
        TEXTS["food_ask_has"],
        TEXTS["food_ask_lacks"],
    ),
    Setting(
        ("{p}", "the patient", "the child", "{p}", "{p}'s mother"),
        (
            "fever",
            "headache",
            "nausea",
            "dizziness",
            "a cough",
            "back pain",
            "shortness of breath",
            "a rash",
            "a sore throat",
            "blurred vision",
            "chest pain",
            "swelling",
        ),
        TEXTS["sick_has"],
        TEXTS["sick_lacks"],
        TEXTS["sick_neither"],
        TEXTS["sick_ask_has"],
        TEXTS["sick_ask_lacks"],
    ),
    Setting(
        ("the {f} policy", "the basic policy", "the travel policy from {f}", "the household contract", "{p}'s policy", "the {f} contract"),
        (
            "theft",
            "storm damage",
            "burst pipes",
            "lost luggage",
            "broken glass",
            "legal costs",
            "dental treatment",
            "flood damage",
            "fire",
            "cancelled trips",
            "hospital stays",
            "damage by pets",
        ),
        TEXTS["cover_has"],
        TEXTS["cover_lacks"],
        TEXTS["cover_neither"],
        TEXTS["cover_ask_has"],
        TEXTS["cover_ask_lacks"],
    ),
]
PLURAL = {"burst pipes", "legal costs", "cancelled trips", "hospital stays"}


def bare(feature: str) -> str:
    return feature.removeprefix("a ").removeprefix("an ")


def twin(rng: random.Random) -> Twin:
    s = rng.choice(SETTINGS)
    subject = rng.choice(s.subjects).format(c=rng.choice(CITIES), f=firms(rng, 1)[0], p=people(rng, 1)[0].name)
    pool = [f for f in s.features if f not in PLURAL]  # the forms speak of one thing
    features = rng.sample(pool, rng.randint(3, 5))
    present = [rng.random() < 0.5 for _ in features]
    first = [True, *present[1:]]
    second = [False, *present[1:]]
    cases = [first, second] if rng.random() < 0.5 else [second, first]
    keep_article = s.has is TEXTS["sick_has"]

    def words_of(f):
        return {"s": subject, "x": f, "X": cap(f), "b": f if keep_article else bare(f), "B": cap(f)}

    rival = rng.choice(s.subjects).format(c=rng.choice(CITIES), f=firms(rng, 1)[0], p=people(rng, 1)[0].name)
    has_rival = rng.random() < 0.5 and rival != subject

    def named(forms):
        return [f for f in forms if "{s}" in f] if has_rival else forms  # with a second subject about, every sentence must name its own

    has_forms, lack_forms = [rng.choice(named(s.has)) for _ in features], [rng.choice(named(s.lacks)) for _ in features]
    rival_line = rng.choice(named([*s.has, *s.lacks])).format(
        **{"s": rival, "x": features[0], "b": features[0] if s.has is TEXTS["sick_has"] else bare(features[0])}
    )
    summary, order = rng.random() < 0.3, rng.sample(range(len(features)), len(features))
    all_form = rng.choice(TEXTS["full_lists"])
    neither = rng.random() < 0.4

    def render(case: list[bool], local: random.Random) -> object:
        yes, no = [features[i] for i in order if case[i]], [features[i] for i in order if not case[i]]
        if summary and yes and no:
            return cap(all_form.format(s=subject, yes=listed(yes), no=listed(no)))
        if summary and local.random() < 0.7:
            return {"of": subject, **{bare(features[i]).replace(" ", "_"): case[i] for i in order}}
        lines = []
        paired = [i for i in order if not case[i]][:2] if neither and len(no) > 1 else []
        for i in order:
            if i in paired:
                if i == paired[0]:
                    lines.append(
                        local.choice(named(s.neither)).format(
                            **{**words_of(features[i]), "b2": words_of(features[paired[1]])["b"], "x2": features[paired[1]]}
                        )
                    )
            else:
                lines.append((has_forms if case[i] else lack_forms)[i].format(**words_of(features[i])))
        if has_rival:
            lines.insert(local.randrange(len(lines) + 1), rival_line)
        head = f"{cap(subject)}. " if not any(subject in line for line in lines) else ""
        text = lay_out(local, with_asides(local, [cap(line) for line in lines]), None)
        return (
            head + text
            if isinstance(text, str) and not text.startswith(("H", "D", "G"))
            else text
            if not head
            else {"about": subject, "notes": text}
        )

    states = both(render, cases, rng)
    w = words_of(features[0])

    def fill(forms):
        return [cap(f.format(**w)) for f in forms]

    truth = (cases[0][0], cases[1][0])
    questions = [polar(rng, truth, fill(s.ask_has), fill(s.ask_lacks), (f"yes: {w['b']}", f"no {w['b']}"))]
    total = tuple(sum(case) for case in cases)
    if rng.random() < 0.5:
        questions.append(
            pick(
                rng,
                formatted(TEXTS["how_many"], subject=subject, features=listed(features)),
                (words(total[0]), words(total[1])),
                [words(k) for k in range(len(features) + 1)],
                most=6,
                fixed=True,
            )
        )
    # one that differs, among those that stay the same and are of the other kind
    absent = [f for f, here in zip(features[1:], present[1:], strict=True) if not here]
    there = [f for f, here in zip(features[1:], present[1:], strict=True) if here]
    if rng.random() < 0.7:
        if len(absent) >= 1 and rng.random() < 0.5:
            right = tuple(features[0] if case[0] else "none of them" for case in cases)
            questions.append(
                pick(rng, formatted(TEXTS["which_has"], subject=subject, Subject=cap(subject)), right, absent, most=6, fixed=True)
            )
        elif there:
            right = tuple("none of them" if case[0] else features[0] for case in cases)
            questions.append(
                pick(rng, formatted(TEXTS["which_lacks"], subject=subject, Subject=cap(subject)), right, there, most=6, fixed=True)
            )
    if len(features) > 1 and rng.random() < 0.6:
        other = rng.randrange(1, len(features))
        labels = {
            (True, True): "both",
            (True, False): f"only {features[0]}",
            (False, True): f"only {features[other]}",
            (False, False): "neither",
        }
        questions.append(
            pick(
                rng,
                formatted(
                    TEXTS["which_of_two"], X=cap(features[0]), y=features[other], subject=subject, Subject=cap(subject), x=features[0]
                ),
                tuple(labels[case[0], case[other]] for case in cases),
                list(labels.values()),
                most=4,
                fixed=True,
            )
        )
    levels = tuple(0 if n == 0 else 3 if n == len(features) else 1 if 2 * n < len(features) else 2 for n in total)
    if levels[0] != levels[1] and rng.random() < 0.5:
        questions.append(score(f"For {subject}, how many of {listed(features)} are affirmed?", TEXTS["shares"], levels))
    if len(questions) == 1:
        questions.append(polar(rng, truth, fill(s.ask_has), fill(s.ask_lacks)))
    return Twin(states, without_repeats(questions))
