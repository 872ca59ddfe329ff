"""Shared lists: people with their pronouns, firms, cities, job roles, items, and the words that go with them."""
import random
from dataclasses import dataclass

WOMEN = ('Ada Alma Amina Anita Beatriz Bea Carla Chloe Dana Daria Edith Elif Emma Esther Farah Fiona Gita Grace Hana Helen Ines Ingrid Iris Jana Joyce Kavita Kirsten Lara Leila Lena Lucia Maeve Maria Meera '
         'Mina Nadia Naomi Nora Olga Paula Petra Priya Rosa Ruth Saskia Selma Sofia Tamar Tess Uma Vera Wanda Xenia Yasmin Yuki Zoe').split()
MEN = ('Aaron Ahmed Andrei Anton Arjun Bruno Callum Carlos Chen Dario David Dmitri Edgar Emil Erik Farid Felix Finn George Goran Hakim Henry Hugo Ibrahim Ivan Jamal Jonas Juan Karim Kenji Lars Leo Luca Malik '
       'Marco Mateo Miles Nikhil Noah Oscar Otto Pavel Pedro Rafael Rashid Robin Rohan Sam Stefan Tariq Theo Tomas Umar Victor Walter Xavier Yusuf Zane').split()
LAST_NAMES = ('Adeyemi Albrecht Banerjee Barros Becker Bianchi Castro Chandra Clarke Costa Dahl Dubois Eze Farkas Fischer Garcia Gruber Haddad Hansen Hughes Ito Jansen Kaplan Kim Kowalski Larsen Lindqvist Lopez '
              'Marsh Mbeki Meyer Moreau Nakamura Novak Obi Okafor Olsen Patel Peters Quinn Rao Reyes Rossi Sato Schmidt Silva Singh Soto Tanaka Torres Vance Virtanen Wang Weiss Yilmaz Zhou').split()
CITIES = ('Aarhus Accra Antwerp Basel Belfast Bergen Bologna Bristol Brno Cardiff Cork Dakar Denver Dublin Freiburg Galway Gdansk Geneva Ghent Graz Hamburg Hanoi Izmir Kyoto Leeds Leipzig Lille Lima Linz Lisbon '
          'Lund Lyon Malmo Manchester Nairobi Nantes Naples Odense Osaka Oslo Ottawa Porto Prague Quito Riga Rotterdam Salzburg Seville Split Tallinn Tampere Trieste Turin Utrecht Valencia Vienna Vilnius York Zagreb Zurich').split()
STREETS = 'Mill Lane|Harbour Street|Station Road|Castle Street|Elm Avenue|Bridge Street|Church Road|Orchard Way|Canal Street|Park Row|Chapel Lane|Linden Street|Quay Road|Market Street|Abbey Road|Hill Street'.split('|')
FIRM_NAMES = ('Alder Amberley Arcton Bellwether Birchline Brightwell Calder Cobalt Corvid Dunmore Eastgate Fernhill Foxglove Granite Greyfriars Halden Harrow Ironbridge Juniper Kestrel Kingsway Lanternside Larkfield '
              'Meridian Millbrook Nordvik Northgate Oakridge Orbis Pinecrest Polaris Quayside Redwood Riverbank Sable Silverton Stonebridge Summit Tidewater Trellis Umbra Vantage Westbrook Wharfdale Wrenfield').split()
FIRM_KINDS = 'Logistics|Foods|Systems|Bank|Energy|Clinics|Software|Travel|Insurance|Print|Tools|Robotics|Textiles|Media|Labs|Partners|Motors|Furniture'.split('|')
ROLES = ('accountant|architect|baker|bookkeeper|bus driver|carpenter|caretaker|chemist|clerk|coach|cook|courier|dentist|designer|developer|editor|electrician|engineer|florist|gardener|head teacher|intern|janitor|lawyer|'
         'librarian|manager|mechanic|midwife|nurse|optician|painter|pharmacist|photographer|pilot|plumber|porter|receptionist|roofer|salesman|secretary|solicitor|surveyor|tailor|teacher|technician|translator|vet|waiter|warden').split('|')
DEPARTMENTS = 'Accounts|Billing|Catering|Compliance|Customer Service|Design|Facilities|Finance|Fraud|Human Resources|IT Support|Legal|Logistics|Marketing|Purchasing|Quality|Research|Returns|Sales|Security|Shipping|Training'.split('|')


@dataclass(frozen=True)
class Person:
    """One person; he, him and his hold that person's pronouns."""

    name: str
    last: str
    he: str
    him: str
    his: str

    @property
    def full(self) -> str:
        return f'{self.name} {self.last}'

    @property
    def title(self) -> str:
        """'Ms Patel': how a clerk writes of somebody."""
        return f"{'Ms' if self.he == 'she' else 'Mr'} {self.last}"


@dataclass(frozen=True)
class Item:
    """A thing that can be counted; 'one' has no article."""

    one: str
    many: str


def _items(text: str) -> list[Item]:
    pairs = (part.split('/') for part in text.split('|'))
    return [Item(pair[0], pair[1] if len(pair) > 1 else pair[0] + 's') for pair in pairs]


GOODS = _items('desk lamp|keyboard|monitor|office chair|printer|headset|tablet|camera|kettle|toaster|blender|vacuum cleaner|bicycle helmet|rucksack|tent|sleeping bag|water bottle|raincoat|pair of boots/pairs of boots|jacket|'
               'scarf/scarves|teapot|frying pan|bookshelf/bookshelves|mirror|rug|curtain|cushion|wall clock|notebook|fountain pen|board game|puzzle|drill|toolbox/toolboxes|ladder|garden hose|spade|flower pot|suitcase|watch/watches')
SUPPLIES = _items('chair|folding table|projector|extension cable|bucket|towel|blanket|lantern|first-aid kit|helmet|safety vest|traffic cone|tarpaulin|crate|barrel|box of gloves/boxes of gloves|ream of paper/reams of paper|toner cartridge|'
                  'bag of cement/bags of cement|roll of tape/rolls of tape|tin of paint/tins of paint|light bulb|battery/batteries|fire extinguisher|cable drum|pallet|badge|clipboard|thermometer|bottle of bleach/bottles of bleach')
FOOD = _items('loaf/loaves|croissant|apple pie|jar of honey/jars of honey|bag of rice/bags of rice|bottle of milk/bottles of milk|cheese|melon|lemon|cabbage|pumpkin|cucumber|onion|tin of soup/tins of soup|sandwich/sandwiches|muffin|'
              'bottle of oil/bottles of oil|box of eggs/boxes of eggs|sack of flour/sacks of flour|bunch of grapes/bunches of grapes|carton of juice/cartons of juice|chicken|fish cake|pizza')
DOCUMENTS = _items('invoice|contract|lease|budget|report|survey|permit|passport copy/passport copies|timesheet|proposal|grant application|tax return|insurance form|audit file|certificate|quotation|minutes file|press release|purchase order|'
                   'safety plan|floor plan|translation|expense claim|inventory/inventories|reference letter')
TASKS = ('book the hall|order the badges|call the printer|update the website|renew the licence|reset the router|send out the invitations|pay the deposit|translate the leaflet|water the plants|pick up the keys|test the alarm|back up the '
         'database|clean the filter|label the boxes|move the chairs|check the invoices|repair the gate|collect the parcels|write the minutes|archive the old files|replace the batteries|count the stock|inspect the boiler').split('|')


def person(rng: random.Random) -> Person:
    if rng.random() < .5:
        return Person(rng.choice(WOMEN), rng.choice(LAST_NAMES), 'she', 'her', 'her')
    return Person(rng.choice(MEN), rng.choice(LAST_NAMES), 'he', 'him', 'his')


def people(rng: random.Random, count: int) -> list[Person]:
    """Persons with unlike first and last names."""
    found: list[Person] = []
    while len(found) < count:
        new = person(rng)
        if all(new.name != old.name and new.last != old.last for old in found):
            found.append(new)
    return found


def firm(rng: random.Random) -> str:
    return f'{rng.choice(FIRM_NAMES)} {rng.choice(FIRM_KINDS)}' if rng.random() < .7 else rng.choice(FIRM_NAMES)


def firms(rng: random.Random, count: int) -> list[str]:
    """Firms with unlike names."""
    return [name if rng.random() < .4 else f'{name} {rng.choice(FIRM_KINDS)}' for name in rng.sample(FIRM_NAMES, count)]


@dataclass(frozen=True)
class Job:
    """Something to be done: 'book', 'booked', 'booked', 'booking' and what it is done to, 'the hall'."""

    base: str
    past: str
    done: str
    doing: str
    what: str
    plural: bool

    def be(self, tense: str = 'present') -> str:
        """'is' or 'are', 'has' or 'have', 'was' or 'were', for the thing."""
        return {'present': ('is', 'are'), 'perfect': ('has', 'have'), 'past': ('was', 'were')}[tense][self.plural]


def _jobs(text: str) -> list[Job]:
    found = []
    for line in text.split('|'):
        forms, what = line.split(':')
        base, past, *more = forms.split('/')
        doing = more[1] if len(more) > 1 else (base[:-1] if base.endswith('e') else base) + 'ing'
        found.append(Job(base, past, more[0] if more else past, doing, what, what.endswith('s') and not what.endswith('ss') and not what.endswith('minutes book')))
    return found


JOBS = _jobs('book/booked:the hall|order/ordered:the badges|renew/renewed:the licence|reset/reset/reset/resetting:the router|send/sent:the invitations|pay/paid:the deposit|translate/translated:the leaflet|collect/collected:the parcels|test/tested:the alarm|'
             'clean/cleaned:the filter|label/labelled/labelled/labelling:the boxes|check/checked:the invoices|repair/repaired:the gate|write/wrote/written/writing:the report|archive/archived:the old files|replace/replaced:the batteries|count/counted:the stock|'
             'inspect/inspected:the boiler|sign/signed:the lease|update/updated:the website|delete/deleted:the test accounts|deliver/delivered:the chairs|print/printed:the programme|cancel/cancelled/cancelled/cancelling:the old contract|return/returned:the van|'
             'rewrite/rewrote/rewritten/rewriting:the login page|merge/merged:the branch|migrate/migrated:the database|close/closed:the ticket|publish/published:the timetable|hire/hired:the band|paint/painted:the corridor|water/watered:the plants|lock/locked:the shed|'
             'register/registered:the trailer|file/filed:the claim|refund/refunded:the customer|approve/approved:the budget|audit/audited:the accounts|vaccinate/vaccinated:the dog|weigh/weighed:the pallets|install/installed:the software update')
