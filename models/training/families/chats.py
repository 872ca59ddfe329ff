"""Teaches following a chat: who proposed, whether an indirect reply takes or turns down the proposal, and what holds in the end."""

import random

from .asking import both, described, pick, polar
from .people import CITIES, FOOD, people
from .shapes import filled, formatted, made
from .text_files import load_texts
from .times import WEEKDAYS, clock
from .twin import State, Twin

TEXTS = load_texts("chats")
# setting: what is settled, openers, proposals ({v}), counterproposals, values
TIMES = [clock(random.Random(i), minutes, 0.3) for i, minutes in enumerate(range(8 * 60, 21 * 60, 15))]
SETTINGS: list[tuple[str, list[str], list[str], list[str], list[str]]] = [
    (
        "the time of the meeting",
        ["we still need a time for the meeting", "when shall we sit down for this?", "the meeting needs a slot"],
        ["how about {v}?", "would {v} suit you?", "I would say {v}.", "let us meet at {v}?", "my suggestion: {v}", "could we do {v}?"],
        ["then {v}?", "{v} instead?", "or what about {v}?", "would {v} be better?", "make it {v}?", "I could also offer {v}"],
        TIMES,
    ),
    (
        "the day of the rehearsal",
        ["which day do we rehearse?", "we have to fix the rehearsal", "the hall needs to know our day"],
        [
            "how about {v}?",
            "would {v} suit?",
            "{v} looks good to me, and to you?",
            "my suggestion: {v}",
            "let us say {v}?",
            "could you do {v}?",
        ],
        ["then {v}?", "{v} instead?", "or what about {v}?", "would {v} be better?", "make it {v}?", "I could also offer {v}"],
        WEEKDAYS,
    ),
    (
        "the place of the team outing",
        ["where do we go for the outing?", "the outing needs a destination", "any ideas for our day out?"],
        [
            "how about {v}?",
            "I would love to see {v}",
            "let us go to {v}?",
            "my suggestion: {v}",
            "could we do {v}?",
            "what do you think of {v}?",
        ],
        ["then {v}?", "{v} instead?", "or what about {v}?", "would {v} be better?", "why not {v}?", "I could also offer {v}"],
        CITIES,
    ),
    (
        "the thing to bring to the party",
        ["what do we bring on Saturday?", "we should not turn up with empty hands", "Ada asks what is coming from us for the buffet"],
        ["how about {a}?", "we could bring {a}", "my suggestion: {a}", "would {a} do?", "what do you think of {a}?", "let us take {a}?"],
        ["then {a}?", "{a} instead?", "or what about {a}?", "would {a} be better?", "why not {a}?", "I could also do {a}"],
        [item.one for item in FOOD if " of " not in item.one],
    ),
    (
        "the price for the used bike",
        ["about the bike: what do you want to do about the price?", "I am writing about the bike ad", "so, the bike"],
        [
            "how about {v}?",
            "would {v} be all right?",
            "what do you think of {v}?",
            "my suggestion: {v}",
            "let us say {v}?",
            "could we settle on {v}?",
        ],
        ["then {v}?", "{v} instead?", "or what about {v}?", "would {v} be better?", "make it {v}?", "how does {v} sound?"],
        [f"{n} euros" for n in range(60, 400, 15)],
    ),
    (
        "the name of the new cat",
        ["the vet asks for the name of the cat", "our kitten still has no name", 'we cannot call him "cat" for ever'],
        ["how about {v}?", "I like {v}", "my suggestion: {v}", "would {v} do?", "what do you think of {v}?", "let us call him {v}?"],
        ["then {v}?", "{v} instead?", "or what about {v}?", "would {v} be better?", "why not {v}?", "and {v}?"],
        "Biscuit Pepper Shadow Tiger Momo Felix Whiskers Pablo Gizmo Caesar Balu Simba Muffin Rocket Pickle Smokey".split(),
    ),
]


def twin(rng: random.Random) -> Twin:
    """One proposes, the other takes it or turns it down; or there is a counterproposal, and the first takes or turns down that."""
    subject, openers, proposals, counters, values = rng.choice(SETTINGS)
    one, two, three = people(rng, 3)
    first, second, third = rng.sample(values, 3)
    kind = rng.choice(["answer", "counter", "speaker"])
    # how the proposal in question is met in each world; only a plain answer may leave it open or be missing
    reactions = ("accepts", rng.choice(["declines", "leaves it open", "does not reply"])) if kind == "answer" else ("accepts", "declines")

    def say(forms: list[str], value: str, draw: random.Random) -> str:
        return draw.choice(forms).format(v=value, a=f"{'an' if value[0] in 'aeiou' else 'a'} {value}")

    def render(flipped: bool, draw: random.Random) -> State:
        p, q = (two, one) if kind == "speaker" and flipped else (one, two)
        lines = [(p, draw.choice(openers))] if draw.random() < 0.7 else []
        lines.append((p, say(proposals, first, draw)))
        takes, refusal, refusal_2 = draw.choice(TEXTS["takes"]), *draw.sample(TEXTS["turns_down"], 2)
        if kind == "answer":
            lines.append(
                (
                    q,
                    {
                        "accepts": takes,
                        "declines": refusal,
                        "leaves it open": draw.choice(TEXTS["leaves_open"]),
                        "does not reply": draw.choice(TEXTS["other_topics"]),
                    }[reactions[flipped]],
                )
            )
        else:
            lines.append((q, f"{refusal}. {say(counters, second, draw)}"))
            lines.append((p, refusal_2 if kind == "counter" and flipped else takes))
        for _ in range(draw.randint(0, 4)):
            lines.insert(draw.randint(0, 1), (draw.choice([p, q]), draw.choice(TEXTS["small_talk"])))
        if draw.random() < 0.4:
            lines.insert(
                draw.randint(0, 1),
                (three, f"I was at {third} once, but that is another story" if values is CITIES else "just reading along, do not mind me"),
            )
        if draw.random() < 0.3:
            lines.append((draw.choice([p, q]), draw.choice(TEXTS["goodbyes"])))
        shape = draw.randrange(4)
        if shape < 2:
            return [{("from", "author")[shape]: who.name, "text": text} for who, text in lines]
        return "\n".join(f"{who.name}: {text}" if shape == 2 else f"<{who.name}> {text}" for who, text in lines)

    questions = []
    values_named = (
        [first, second, third] if kind != "answer" else [first, third, *rng.sample([v for v in values if v not in (first, third)], 2)]
    )
    if kind == "speaker":
        for i, (p, q) in enumerate([(one, two), (two, one)]):
            truth = (i == 0, i == 1)
            questions.append(
                polar(
                    rng,
                    truth,
                    filled(TEXTS["proposed"], p=p.name, q=q.name, v=first),
                    filled(TEXTS["rejected"], p=p.name, q=q.name, v=first, w=second),
                )
            )
        questions.append(pick(rng, filled(TEXTS["who_first"], v=first), (one.name, two.name), [three.name]))
        questions.append(pick(rng, filled(TEXTS["who_second"], v=first, w=second), (two.name, one.name), [three.name]))
    else:
        value = first if kind == "answer" else second
        p, q = (one, two) if kind == "answer" else (two, one)
        questions = [
            polar(
                rng,
                (True, False),
                filled(TEXTS["agreed"], p=p.name, q=q.name, v=value, s=subject),
                filled(TEXTS["not_agreed"], p=p.name, q=q.name, v=value, s=subject)[: None if reactions[1] == "declines" else 1],
                TEXTS["agreed_meaning"],
            )
            for _ in range(2)
        ]
        questions.append(pick(rng, formatted(TEXTS["ask_outcome"], subject=subject), (value, "nothing yet"), values_named))
        questions.append(described(rng, filled(TEXTS["ask_reaction"], q=q.name, v=value), TEXTS["reactions"], reactions))
    return made(rng, both(render, (False, True), rng), questions)
