"""People with their pronouns, firms, cities, roles, things and jobs."""

import random
from dataclasses import dataclass

from .text_files import load_texts
from .wording import cap

TEXTS = load_texts("people")
WOMEN = TEXTS["women"]
MEN = TEXTS["men"]
LAST_NAMES = TEXTS["last_names"]
CITIES = TEXTS["cities"]
STREETS = TEXTS["streets"]
FIRM_NAMES = TEXTS["firm_names"]
FIRM_KINDS = TEXTS["firm_kinds"]
ROLES = TEXTS["roles"]
DEPARTMENTS = TEXTS["departments"]


@dataclass(frozen=True)
class Person:
    """A person. he, him and his hold the person's own pronouns, such as 'she', 'her' and 'her'."""

    name: str
    last: str
    he: str
    him: str
    his: str

    @property
    def full(self) -> str:
        return f"{self.name} {self.last}"

    @property
    def title(self) -> str:
        """The formal name, such as 'Ms Patel'."""
        return f"{'Ms' if self.he == 'she' else 'Mr'} {self.last}"


@dataclass(frozen=True)
class Item:
    """A countable thing, in singular (without an article) and plural."""

    one: str
    many: str


GOODS = [Item(**row) for row in TEXTS["goods"]]
SUPPLIES = [Item(**row) for row in TEXTS["supplies"]]
FOOD = [Item(**row) for row in TEXTS["food"]]
DOCUMENTS = [Item(**row) for row in TEXTS["documents"]]


def person(rng: random.Random) -> Person:
    if rng.random() < 0.5:
        return Person(rng.choice(WOMEN), rng.choice(LAST_NAMES), "she", "her", "her")
    return Person(rng.choice(MEN), rng.choice(LAST_NAMES), "he", "him", "his")


def people(rng: random.Random, count: int) -> list[Person]:
    """`count` persons; no two share a first or last name."""
    found: list[Person] = []
    while len(found) < count:
        new = person(rng)
        if all(new.name != old.name and new.last != old.last for old in found):
            found.append(new)
    return found


def firm(rng: random.Random) -> str:
    return f"{rng.choice(FIRM_NAMES)} {rng.choice(FIRM_KINDS)}" if rng.random() < 0.7 else rng.choice(FIRM_NAMES)


def firms(rng: random.Random, count: int) -> list[str]:
    """`count` firms with different names."""
    return [name if rng.random() < 0.4 else f"{name} {rng.choice(FIRM_KINDS)}" for name in rng.sample(FIRM_NAMES, count)]


@dataclass(frozen=True)
class Job:
    """Something to be done: a verb in four forms ('write', 'wrote', 'written', 'writing') and its object ('the report')."""

    base: str
    past: str
    done: str
    doing: str
    what: str
    plural: bool

    def be(self, tense: str = "present") -> str:
        """The verb that agrees with the object: 'is' or 'are', 'has' or 'have', 'was' or 'were'."""
        return {"present": ("is", "are"), "perfect": ("has", "have"), "past": ("was", "were")}[tense][self.plural]


JOBS = [Job(**row) for row in TEXTS["jobs"]]


def words_of(job: Job, who: Person) -> dict[str, str]:
    """Values for texts about a person and a job: {base} 'write the report', {done} 'written the report', {pp} 'written' and so on."""
    what = job.what
    return {
        "who": who.name,
        "his": who.his,
        "he": who.he,
        "him": who.him,
        "base": f"{job.base} {what}",
        "done": f"{job.done} {what}",
        "past": f"{job.past} {what}",
        "doing": f"{job.doing} {what}",
        "what": what,
        "What": cap(what),
        "pp": job.done,
        "is": job.be(),
        "Is": cap(job.be()),
        "has": job.be("perfect"),
        "was": job.be("past"),
    }
