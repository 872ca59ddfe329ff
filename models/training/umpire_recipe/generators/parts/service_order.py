"""Asks who is served first in a queue with classes and times of arrival."""

import itertools
import random

from .asking import both, pick, polar
from .layouts import lay_out, table
from .people import CITIES, DEPARTMENTS, people
from .shapes import formatted
from .text_files import load_texts
from .times import clock
from .twin import State, Twin, score
from .wording import cap, ordinal_words, words

TEXTS = load_texts("service_order")

Queue = tuple[list[int], list[int], bool]  # the class and time of each person, and whether classes count


def queue(rng: random.Random) -> Twin:
    """A queue in which one class or time changes, or whether classes count."""
    n = rng.randint(3, 5)
    names, classes = [p.name for p in people(rng, n)], rng.choice(TEXTS["classes"])
    start = rng.randrange(420, 900, 5)
    times = [start + 5 * k for k in rng.sample(range(24), n)]
    levels = [rng.randrange(3) for _ in range(n)]
    by_class = rng.random() < 0.75

    def order_of(case: Queue) -> list[int]:
        level, time, ranked = case
        return sorted(range(n), key=lambda k: (level[k] if ranked else 0, time[k]))

    base = (levels, times, by_class)
    while True:
        what, (i, _) = rng.choice(["class", "time", "scheme"]), rng.sample(range(n), 2)
        if what == "class":
            new = ([rng.randrange(3) if k == i else v for k, v in enumerate(levels)], times, by_class)
        elif what == "time":
            new = (levels, [times[i] + rng.choice([-90, -60, -45, 45, 60, 90]) + 1 if k == i else v for k, v in enumerate(times)], by_class)
        else:
            new = (levels, times, not by_class)
        if order_of(base)[0] != order_of(new)[0] or (rng.random() < 0.02 and order_of(base) != order_of(new)):
            break
        levels = [rng.randrange(3) for _ in range(n)]
        base = (levels, times, by_class)
    cases = [base, new] if rng.random() < 0.5 else [new, base]
    head, tell_order, tabled = rng.randrange(4), rng.sample(range(n), n), rng.random() < 0.25
    tell = rng.choice(TEXTS["arrivals"])
    city, department = rng.choice(CITIES), rng.choice(DEPARTMENTS)
    title = rng.choice(TEXTS["titles"])
    title = title and title.format(city=city, department=department)

    def render(case: Queue, local: random.Random) -> State:
        level, time, ranked = case
        red, amber, green = classes
        rule = TEXTS["queue_head" if ranked else "time_head"][head].format(Red=cap(red), red=red, amber=amber, green=green)
        if tabled:
            rows = [[names[k], classes[level[k]], f"{time[k] // 60:02d}:{time[k] % 60:02d}"] for k in tell_order]
            return f"{rule}\n{table(['name', 'class', 'arrived'], rows)}"
        lines = [cap(tell.format(who=names[k], c=classes[level[k]], t=clock(local, time[k]))) for k in tell_order]
        return lay_out(local, [rule, *lines] if local.random() < 0.7 else [*lines, rule], title)

    states = both(render, cases, rng)
    orders = [order_of(case) for case in cases]
    firsts = tuple(names[o[0]] for o in orders)
    questions = []
    if firsts[0] != firsts[1]:
        questions.append(pick(rng, TEXTS["who_first"], firsts, names, most=5))

    def sooner(p: int, q: int) -> tuple[bool, ...]:
        return tuple(o.index(p) < o.index(q) for o in orders)

    p, q = rng.choice([(p, q) for p, q in itertools.combinations(range(n), 2) if len(set(sooner(p, q))) == 2])
    x, y = names[p], names[q]
    questions.append(polar(rng, sooner(p, q), formatted(TEXTS["before"], x=x, y=y), formatted(TEXTS["after"], x=x, y=y)))
    if rng.random() < 0.5:
        if orders[0][-1] != orders[1][-1]:
            questions.append(pick(rng, TEXTS["who_last"], tuple(names[o[-1]] for o in orders), names, most=5, fixed=True))
        else:
            places = [ordinal_words(k) for k in range(1, n + 1)]
            questions.append(score(f"Place of {x} in the order of service", places, tuple(o.index(p) for o in orders)))
    if rng.random() < 0.4:
        ahead = tuple(o.index(q) for o in orders)
        if ahead[0] != ahead[1]:
            how_many, counts = formatted(TEXTS["how_many_before"], y=y), [words(k) for k in range(n)]
            questions.append(pick(rng, how_many, (words(ahead[0]), words(ahead[1])), counts, most=5, fixed=True))
    return Twin(states, questions)
