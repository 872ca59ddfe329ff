"""Teaches reading a JSON record: sibling fields of like names (billing/shipping, wanted/actual, old/new), flags, nulls, and two fields together."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .asking import both, pick, polar
from .people import CITIES, DEPARTMENTS, GOODS, MEN, ROLES, WOMEN
from .shapes import capital, filled, formatted, made
from .text_files import load_texts
from .twin import Twin

TEXTS = load_texts("json_records")


@dataclass(frozen=True)
class Pair:
    """Two sibling fields whose values change places between the states, and what each of them is called in questions."""

    keys: tuple[str, str]
    values: Sequence[Any]
    called: tuple[str, str]


@dataclass(frozen=True)
class Flag:
    """A field that says yes or no in one of several ways (true/false, a date/null, a word), with yes forms and no forms."""

    key: str
    says: list[tuple[Any, Any]]
    yes: tuple[str, ...]
    no: tuple[str, ...]


@dataclass(frozen=True)
class Setting:
    top: str
    pairs: list[Pair]
    flags: list[Flag]
    fillers: dict[str, Sequence[Any]]


NAMES, GOODS_NAMES = WOMEN + MEN, [item.one for item in GOODS]
PLAIN = [(True, False), (1, 0), ("yes", "no"), ("Y", "N")]
SETTINGS = [
    Setting(
        "order",
        [
            Pair(("shipping_city", "billing_city"), CITIES, ("the city the goods go to", "the city the bill goes to")),
            Pair(("ordered_item", "delivered_item"), GOODS_NAMES, ("what the customer asked for", "what actually arrived")),
            Pair(("placed_by", "recipient"), NAMES, ("the person who ordered", "the person who is to receive it")),
        ],
        [
            Flag(
                "paid",
                [*PLAIN, ("2026-02-03", None), ("in full", "outstanding")],
                ["Has the order been paid?", "The customer has settled the bill.", "Is there nothing left to pay?", "The money is in."],
                ["Is payment still open?", "The customer still owes the money.", "The bill is unsettled.", "Must the money still come in?"],
            ),
            Flag(
                "gift_wrap",
                PLAIN,
                [
                    "Should it be wrapped as a gift?",
                    "The parcel is to be gift-wrapped.",
                    "Does the packer need wrapping paper?",
                    "Gift wrapping was asked for.",
                ],
                [
                    "Can the gift paper stay in the drawer?",
                    "No gift wrapping is wanted.",
                    "Is plain packing all that is wanted?",
                    "The packer can do without wrapping paper.",
                ],
            ),
        ],
        {"id": range(1000, 9999), "carrier": ["post", "van", "courier"], "currency": ["EUR", "USD", "GBP"]},
    ),
    Setting(
        "ticket",
        [
            Pair(("reporter", "assignee"), NAMES, ("the person who raised the ticket", "the person who is to work on it")),
            Pair(("previous_queue", "queue"), DEPARTMENTS, ("the queue it was in before", "the queue it is in now")),
            Pair(("source_city", "affected_city"), CITIES, ("the place it was reported from", "the place that is affected")),
        ],
        [
            Flag(
                "resolved",
                [*PLAIN, ("2026-05-11", None), ("done", "pending")],
                ["Has the ticket been solved?", "The matter is settled.", "Is the work on it over?", "The ticket needs no more work."],
                [
                    "Is the ticket still open?",
                    "Work remains to be done on it.",
                    "The matter is not settled.",
                    "Does someone still have to solve it?",
                ],
            ),
            Flag(
                "customer_visible",
                PLAIN,
                [
                    "Can the customer see it?",
                    "The ticket is shown to the customer.",
                    "Is it open to the eyes of the customer?",
                    "The customer may read along.",
                ],
                [
                    "Is it hidden from the customer?",
                    "The ticket is internal.",
                    "Only staff can see it.",
                    "Is the customer kept from reading it?",
                ],
            ),
        ],
        {"number": range(100, 990), "priority": ["low", "normal", "high"], "comments": range(0, 12)},
    ),
    Setting(
        "booking",
        [
            Pair(("from", "to"), CITIES, ("the place of departure", "the destination")),
            Pair(
                ("wanted_seat", "assigned_seat"),
                [f"{n}{x}" for n in range(1, 30) for x in "ABCDEF"],
                ("the seat asked for", "the seat actually given"),
            ),
            Pair(("passenger", "emergency_contact"), NAMES, ("the traveller", "the one to call if something happens")),
        ],
        [
            Flag(
                "refundable",
                PLAIN,
                [
                    "Can the traveller get the money back?",
                    "The fare can be refunded.",
                    "Is a refund possible?",
                    "Cancelling would bring the money back.",
                ],
                [
                    "Is the money lost on cancelling?",
                    "There is no refund on this fare.",
                    "The fare cannot be paid back.",
                    "Is a refund excluded?",
                ],
            ),
            Flag(
                "checked_in",
                [*PLAIN, ("2026-03-09T08:10", None), ("done", "not yet")],
                [
                    "Has the traveller checked in?",
                    "Check-in is complete.",
                    "Is check-in out of the way?",
                    "The traveller has already checked in.",
                ],
                [
                    "Is check-in still to do?",
                    "The traveller has yet to check in.",
                    "Check-in is outstanding.",
                    "Does the traveller still need to check in?",
                ],
            ),
        ],
        {"code": ["QX7", "LM2", "TT9", "VA4", "BN8"], "class": ["economy", "business"], "bags": range(0, 4)},
    ),
    Setting(
        "employee",
        [
            Pair(("manager", "mentor"), NAMES, ("the superior", "the mentor")),
            Pair(("old_role", "role"), ROLES, ("the former job", "the present job")),
            Pair(("home_city", "office_city"), CITIES, ("the place of residence", "the place of work")),
        ],
        [
            Flag(
                "contract_signed",
                [*PLAIN, ("2026-01-15", None), ("signed", "waiting")],
                [
                    "Has the contract been signed?",
                    "There is a signature on the contract.",
                    "Is the contract in force with a signature?",
                    "The signature has been given.",
                ],
                [
                    "Is a signature still missing?",
                    "The contract has not been signed.",
                    "Does the contract still lack a signature?",
                    "Someone has yet to sign.",
                ],
            ),
            Flag(
                "on_leave",
                PLAIN,
                [
                    "Is the employee away on leave?",
                    "The employee is off at present.",
                    "Is this somebody who is on leave?",
                    "One would look for this person at work in vain.",
                ],
                [
                    "Is the employee at work rather than on leave?",
                    "The employee is not on leave.",
                    "Can one count on the person being at work?",
                    "Leave is not being taken at present.",
                ],
            ),
        ],
        {"id": range(10, 400), "weekly_hours": range(18, 41), "grade": ["B1", "B2", "C1"]},
    ),
    Setting(
        "patient",
        [
            Pair(
                ("referred_by", "treated_by"),
                [f"Dr {name}" for name in ("Novak", "Silva", "Obi", "Weiss", "Dahl", "Ito", "Rao", "Quinn")],
                ("the doctor who sent the patient", "the doctor in charge of treatment"),
            ),
            Pair(("ward_before", "ward_now"), ["ward 2", "ward 3", "ward 5", "ward 7", "ward 9"], ("the earlier ward", "the present ward")),
            Pair(("born_in", "lives_in"), CITIES, ("the place of birth", "the place of residence")),
        ],
        [
            Flag(
                "fasting",
                PLAIN,
                [
                    "Has the patient an empty stomach?",
                    "The patient came without having eaten.",
                    "Is the patient fasting?",
                    "The patient has not eaten.",
                ],
                [
                    "Has the patient eaten?",
                    "The patient did not come on an empty stomach.",
                    "The patient is not fasting.",
                    "Had the patient had food?",
                ],
            ),
            Flag(
                "consent_form",
                [*PLAIN, ("received 2026-04-02", None), ("on file", "missing")],
                [
                    "Is there a consent form?",
                    "The consent form is there.",
                    "Has the consent form come in?",
                    "Nobody needs to ask for the consent form any more.",
                ],
                [
                    "Is the consent form lacking?",
                    "The consent form has yet to come.",
                    "Does someone still need to get the consent form?",
                    "There is no consent form so far.",
                ],
            ),
        ],
        {"file": range(3000, 9000), "insurance": ["public", "private"], "age": range(19, 90)},
    ),
    Setting(
        "device",
        [
            Pair(("owner", "technician"), NAMES, ("the one it belongs to", "the one who looks after it")),
            Pair(
                ("set_temperature", "measured_temperature"),
                range(4, 31),
                ("the temperature asked for", "the temperature actually measured"),
            ),
            Pair(("bought_in", "installed_in"), CITIES, ("the place of purchase", "the place where it stands")),
        ],
        [
            Flag(
                "online",
                PLAIN,
                [
                    "Is the device reachable?",
                    "The device is connected.",
                    "Can the device be reached over the network?",
                    "The device has a connection at present.",
                ],
                [
                    "Is the device cut off from the network?",
                    "The device cannot be reached.",
                    "The device is not connected.",
                    "Has the device no connection at present?",
                ],
            ),
            Flag(
                "warranty",
                [("valid", "expired"), ("running", "lapsed"), (True, False)],
                [
                    "Is the device under warranty?",
                    "A defect would be covered by warranty.",
                    "Does the warranty hold?",
                    "The owner can still rely on the warranty.",
                ],
                [
                    "Is the device out of warranty?",
                    "The warranty does not hold any more.",
                    "The owner can no longer rely on the warranty.",
                    "Would a defect be outside the warranty?",
                ],
            ),
        ],
        {"serial": range(20000, 99000), "model": ["K2", "K5", "M1"], "battery_percent": range(5, 100)},
    ),
]


def nested(rng: random.Random, top: str, fields: dict[str, Any]) -> Any:
    """The fields flat, under one name, or some of them in an inner object."""
    items = list(fields.items())
    rng.shuffle(items)
    shape, cut = rng.randrange(4), len(items) // 2
    if shape == 0:
        return dict(items)
    if shape == 1:
        return {top: dict(items)}
    if shape == 2:
        return {top: dict(items[:cut]), "details": dict(items[cut:])}
    return {"type": top, **dict(items[:cut]), rng.choice(["meta", "more", "info"]): dict(items[cut:])}


def twin(rng: random.Random) -> Twin:
    setting = rng.choice(SETTINGS)
    pair, flag = rng.choice(setting.pairs), rng.choice(setting.flags)
    others = [other for other in setting.pairs if other is not pair]
    values: list[Any] = rng.sample(list(pair.values), 2)
    base: dict[str, Any] = {key: rng.choice(list(choices)) for key, choices in rng.sample(list(setting.fillers.items()), rng.randint(1, 3))}
    for other in others:
        base.update(zip(other.keys, rng.sample(list(other.values), 2), strict=False))
    pair_changes = rng.random() < 0.6  # else the flag does
    says = rng.choice(flag.says)
    swap_order = rng.random() < 0.5
    base.update({pair.keys[0]: values[0], pair.keys[1]: values[1], flag.key: says[0]})
    # a second flag, equal in both states, to tempt
    spare = next(other for other in setting.flags if other is not flag)
    spare_true = rng.random() < 0.5
    base[spare.key] = rng.choice(spare.says)[0 if spare_true else 1]
    changed = dict(base)
    changed.update({pair.keys[0]: values[1], pair.keys[1]: values[0]} if pair_changes else {flag.key: says[1]})
    worlds = (base, changed) if swap_order else (changed, base)
    holds_flag = tuple(world[flag.key] == says[0] for world in worlds)
    questions = []
    if pair_changes:
        for i in (0, 1):
            value = rng.choice(values)
            fits = tuple(world[pair.keys[i]] == value for world in worlds)
            questions.append(
                polar(
                    rng,
                    (fits[0], fits[1]),
                    filled(TEXTS["is"], v=value, c=pair.called[i]),
                    filled(TEXTS["is_not"], v=value, c=pair.called[i]),
                )
            )
            tempting = [str(base[key]) for other in setting.pairs for key in other.keys]
            questions.append(
                pick(
                    rng,
                    filled(TEXTS["ask_value"], c=pair.called[i]),
                    (str(worlds[0][pair.keys[i]]), str(worlds[1][pair.keys[i]])),
                    tempting,
                )
            )
    else:
        questions += [polar(rng, (holds_flag[0], holds_flag[1]), flag.yes, flag.no) for _ in range(2)]
        # the flag together with a field that is right as stated in both states
        statement, yes = capital(f"{values[0]} is {pair.called[0]}."), rng.choice([form for form in flag.yes if form.endswith(".")])
        questions.append(
            polar(
                rng,
                (holds_flag[0], holds_flag[1]),
                [form.format(a=statement, b=yes) for form in TEXTS["and"]],
                formatted(TEXTS["both_false"], statement=statement, yes=yes),
            )
        )
    return made(rng, both(lambda world, draw: nested(draw, setting.top, world), worlds, rng), questions)
