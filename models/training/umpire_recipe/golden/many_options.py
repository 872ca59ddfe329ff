"""Choices among 10 to 255 options."""

from itertools import product

OFFICES = {
    "registry_office": "births, marriages and deaths",
    "residents_office": "moving house, identity cards, passports",
    "building_control": "permission to build or change a house",
    "parks": "trees, playgrounds, lawns",
    "waste": "bins, bulky rubbish, recycling yards",
    "roads": "potholes, street lamps, roadworks",
    "parking": "permits and fines for parked cars",
    "schools": "places at school, school buses",
    "childcare": "places at nursery, fees",
    "housing_benefit": "help with the rent",
    "social_services": "care for the old and for families in need",
    "taxes": "property tax, dog tax",
    "trade_office": "opening or closing a business",
    "food_inspection": "dirt or spoiled goods in shops and restaurants",
    "fire_service": "fire prevention and alarms",
    "libraries": "lending of books and rooms to read",
    "museums": None,
    "swimming_pools": None,
    "elections": "postal votes, polling stations",
    "mayor": "whatever no other office deals with",
}
WISHES = ["cancel", "change", "renew", "pay for", "set up", "complain about", "get a copy of"]
THINGS = [
    "my subscription",
    "an invoice",
    "the delivery address",
    "my password",
    "my phone number",
    "a payment card",
    "an order",
    "an appointment",
    "a booking",
    "an insurance policy",
    "my membership",
]
TRADES = (
    "accountant actor actuary anaesthetist antiquary archaeologist architect archivist astronomer auctioneer baker barber barista "
    "bartender beekeeper biologist blacksmith bookbinder bookseller botanist brewer bricklayer broker builder butcher buyer "
    "cardiologist caretaker carpenter cartographer cashier chef chemist chimney_sweep choreographer cleaner clockmaker clown coach "
    "cobbler composer conductor confectioner cook coroner courier curator dancer decorator dentist designer detective dietician "
    "director diver doctor dressmaker driver editor electrician engineer farmer firefighter fisherman fitter florist forester "
    "fundraiser gamekeeper gardener geologist glazier goldsmith grocer guard gunsmith hairdresser herbalist historian housekeeper "
    "hydrologist illustrator inspector interpreter inventor jeweller jockey joiner journalist judge juggler kennel_keeper knitter "
    "lawyer lecturer librarian lifeguard linguist locksmith machinist magician mason mathematician mechanic merchant meteorologist "
    "midwife miller miner model musician nanny navigator novelist nurse optician organist painter paramedic pharmacist "
    "photographer physicist pianist pilot plasterer plumber poet politician porter postman potter printer programmer psychologist "
    "publisher ranger receptionist referee roofer saddler sailor sculptor secretary shepherd singer soldier surgeon surveyor "
    "tailor weaver"
).split()
MATERIALS = [
    "black leather",
    "brown leather",
    "red woollen",
    "blue woollen",
    "grey felt",
    "green plastic",
    "yellow plastic",
    "white cotton",
    "striped cotton",
    "silver",
    "golden",
    "wooden",
    "checked",
    "pink",
    "transparent",
]
OBJECTS = [
    "wallet",
    "handbag",
    "glove",
    "scarf",
    "hat",
    "umbrella",
    "lunch box",
    "bracelet",
    "phone case",
    "bunch of keys",
    "glasses case",
    "walking stick",
    "toy rabbit",
    "jacket",
    "belt",
    "rucksack",
    "purse",
]


def choice(instructions: str, options: list[str] | dict) -> dict:
    return {"type": "choice", "instructions": instructions, "criteria": options if isinstance(options, dict) else dict.fromkeys(options)}


def many_option_requests() -> list[dict]:
    wishes = [f"{wish} {thing}" for wish, thing in product(WISHES, THINGS)]
    finds = [f"{material} {thing}" for material, thing in product(MATERIALS, OBJECTS)]
    assert (len(OFFICES), len(wishes), len(TRADES), len(finds)) == (20, 77, 150, 255)
    described = {f"shelf {number}": find for number, find in enumerate(finds[::6][:30], 1)}
    return [
        {
            "name": "ten options",
            "state": "The street lamp in front of number 9 has been flickering for a week and now it is dark there altogether.",
            "questions": {"office": choice("Which office is responsible?", dict(list(OFFICES.items())[:10]))},
        },
        {
            "name": "twenty options",
            "state": "We found mouse droppings next to the salad counter and told the manager, who laughed. "
            "Somebody should have a look at that kitchen.",
            "questions": {"office": choice("Which office is responsible?", OFFICES)},
        },
        {
            "name": "seventy-seven options",
            "state": "hi, I have moved in with my sister, so please send everything to 12 Elm Row from now on. same name.",
            "questions": {
                "wish": choice("What does the customer want to do?", wishes),
                "again": choice("Which of these does the message ask for?", list(reversed(wishes))),
                "polite": {"type": "noul", "instructions": "Is the message polite?"},
            },
        },
        {
            "name": "a hundred and fifty options",
            "state": "She shod the last mare of the day, banked the forge and hung the tongs on their nail.",
            "questions": {"trade": choice("What is her trade?", TRADES)},
        },
        {
            "name": "two hundred and fifty-five options",
            "state": "Handed in at 18:05 by the driver of tram 4: an umbrella, checked, one rib bent, left on the back seat.",
            "questions": {
                "found": choice("Which thing was handed in?", finds),
                "place": choice("On which shelf does a thing like this belong?", described),
                "damaged": {"type": "noul", "instructions": "Is it damaged?"},
            },
        },
    ]
