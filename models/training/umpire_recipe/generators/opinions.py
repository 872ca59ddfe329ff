"""Teaches whose view is positive and of which of several targets, and who is for or against a proposal, without words like 'good' to go by."""
import random
from dataclasses import dataclass

from .asking import both, described, pick, polar
from .people import people
from .shapes import capital, fill, filled, layout, made, padded
from .twin import State, Twin, score


@dataclass(frozen=True)
class Setting:
    """aspects: target -> (praise, complaint), whole sentences in lower case."""

    title: str
    aspects: dict[str, tuple[list[str], list[str]]]


SETTINGS = [
    Setting('Review of a restaurant', {'the food': (['I could have licked the plate.', 'every course was a small feast.', 'the fish alone was worth the trip.', 'we fought over the last spoonful.'], ['half of it went back to the kitchen.', 'the fish tasted of the freezer.', 'I have had better meals on trains.', 'we stopped for a sandwich on the way home.']),
        'the service': (['the waiter read our wishes from our eyes.', 'our glasses were never empty.', 'nobody rushed us, yet nothing took long.'], ['we waited forty minutes to be noticed.', 'the waiter rolled his eyes at every question.', 'one had to beg for the bill.']),
        'the prices': (['you pay half of what others ask.', 'the bill was smaller than we had feared.', 'so much for so little money: rare these days.'], ['they charge as if the plates were gold.', 'the bill made me gasp.', 'a glass of water costs more than beer elsewhere.']),
        'the room': (['we did not want to leave those deep armchairs.', 'candlelight and space between the tables: bliss.', 'one could sit there for hours.'], ['we froze next to the door.', 'one shouts to be heard across the table.', 'it smelled of wet dog from the first minute.'])}),
    Setting('Feedback on a course', {'the teacher': (['she makes the driest subject come alive.', 'no question was too silly for her.', 'one could listen to her for days.'], ['she read her slides aloud for two hours.', 'questions seemed to annoy her.', 'half of us were asleep by ten.']),
        'the material': (['I still use the handouts every day.', 'the workbook answers all that matters.', 'every page earns its place.'], ['the handouts are full of mistakes.', 'most pages date from before the internet.', 'I threw the workbook away.']),
        'the pace': (['we never felt hurried nor held up.', 'just when it got hard there was time to practise.', 'the hours were divided up wisely.'], ['we raced through ten chapters in an hour.', 'we spent a whole morning on the first page.', 'I lost the thread by noon and never found it again.']),
        'the building': (['bright rooms and a garden for the breaks.', 'everything was steps away and clean.', 'I wish my office looked like that.'], ['the roof dripped on my notes.', 'there is one toilet for eighty people.', 'the lift was stuck all three days.'])}),
    Setting('Report on a phone', {'the camera': (['my holiday shots look like postcards.', 'even at night you can count the stars.', 'I have sold my big one since.'], ['every face comes out like porridge.', 'at dusk you get grey soup.', 'I take my old one along for pictures.']),
        'the battery': (['I charge it twice a week, if that.', 'three days on the road and still going.', 'I keep forgetting where the charger is.'], ['by lunch it is flat.', 'I live next to the socket now.', 'a long call and it is dead.']),
        'the screen': (['I read whole novels on it.', 'even in full sun every letter stands out.', 'it survived a fall on concrete without a scratch.'], ['outdoors you see nothing but your own face.', 'it flickers so that my eyes ache.', 'the first crack came in week one.']),
        'the speaker': (['my radio has been silent since.', 'you would think a band was in the room.', 'I can follow every word from the next room.'], ['voices sound as if from a bucket.', 'it rattles at half volume.', 'a tin can does better.'])}),
    Setting('Notes on a stay', {'the room': (['I slept like a stone in that bed.', 'we had a view to write home about.', 'spotless down to the last corner.'], ['there was hair in the shower.', 'the bed sagged to the floor.', 'our window faced the bins.']),
        'the breakfast': (['warm bread and eight kinds of jam!', 'I would go back for the pancakes alone.', 'we needed no lunch after that.'], ['yesterday\'s rolls and cold coffee.', 'by eight o\'clock there was nothing left.', 'we went to the bakery round the corner instead.']),
        'the staff': (['they found a doctor for us at midnight.', 'they remembered our names after a year.', 'nothing was too much trouble for them.'], ['nobody looked up from the phone when we came.', 'they argued with us over a towel.', 'we were treated like intruders.']),
        'the location': (['two minutes to the beach, and not a car to be heard.', 'everything we wanted to see was round the corner.', 'you step out into the heart of the old town.'], ['between a motorway and a rubbish dump.', 'an hour by bus to anything worth seeing.', 'the nightclub next door closes at five.'])}),
    Setting('Word on a new colleague', {'the written work': (['I have not found a slip in six months of it.', 'clients ask who drafted those letters.', 'I send the texts out as they come.'], ['I rewrite every other line.', 'a client asked whether a child had drafted the letter.', 'spelling seems to be a matter of luck there.']),
        'the punctuality': (['you can set your watch by it.', 'not one missed deadline so far.', 'the coffee is made before the rest of us turn up.'], ['meetings begin twenty minutes late with us now.', 'deadlines pass by unnoticed.', 'before ten the desk is empty.']),
        'the manner with clients': (['even the difficult ones ask for nobody else.', 'angry callers hang up laughing.', 'two lost clients have come back because of it.'], ['two clients have asked for somebody else.', 'callers hang up angrier than before.', 'the word "please" is never heard.']),
        'the computer skills': (['the whole floor comes over with its problems.', 'a script now does what took us a week.', 'our old database has been brought back to life.'], ['I had to explain how to attach a file.', 'the spreadsheet was typed up with a calculator beside it.', 'three crashes in a week, and none of them by chance.'])}),
]
VERDICTS = {'positive': 'praise', 'negative': 'criticism', 'mixed': 'praise and criticism of this one point', 'absent': 'not judged'}
GENERAL = (['{t} alone would bring me back.', 'hats off for {t}.', 'as to {t}, I could not have asked for more.', 'I have told all my friends about {t}, and they envy me.', '{t} beat everything I had been promised.', 'whoever is responsible for {t} should get a rise.', '{t}: ten out of ten.', 'you will look long to find the like of it ({t}).'],
           ['{t} alone would keep me away.', 'somebody ought to be ashamed of {t}.', 'as to {t}, I could have asked for a lot more.', 'I have warned all my friends about {t}.', '{t} fell short of everything I had been promised.', 'whoever is responsible for {t} should look for other work.', '{t}: two out of ten.', 'you will not have to look long to find something better ({t}).'])
PROPOSALS = ['the car-free street', 'the later closing time', 'the new uniform', 'the merger of the two clubs', 'the open-plan office', 'the four-day week', 'the smoking ban', 'the higher entry fee', 'the move to the river site', 'the ban on phones in class', 'the cut of the night bus', 'the wind farm']
FOR = ['{p} cannot wait to see {x} come.', '"About time!" was all {p} said on {x}.', '{p} collected signatures so that {x} may come through.', '{p} would vote for {x} tomorrow.', '{p} calls {x} a blessing.', '{p} asks why {x} did not come years ago.', '{x} has no warmer friend than {p}.', 'if {x} fails, {p} will be bitterly disappointed.']
AGAINST = ['{p} would fight {x} to the last.', '"Over my dead body!" was all {p} said on {x}.', '{p} collected signatures to stop {x}.', '{p} would vote down {x} tomorrow.', '{p} calls {x} a disaster in the making.', '{p} asks who on earth could have thought up {x}.', '{x} has no fiercer enemy than {p}.', 'if {x} fails, {p} will open a bottle of champagne.']
UNSURE = ['{p} wants to hear more about {x} before judging.', '{p} sees two sides to {x} and has not decided.', 'as to {x}, {p} shrugs.', '{p} will abstain when it comes to {x}.']
PRAISED = ['Is the writer pleased with {t}?', '{t} gets praise.', 'Did {t} win the writer over?', 'The writer speaks well of {t}.', 'Is the view of {t} favourable?', '{t} met or beat what the writer had hoped for.']
BLAMED = ['Is the writer unhappy with {t}?', '{t} gets criticism.', 'Did {t} let the writer down?', 'The writer finds fault with {t}.', 'Is the view of {t} unfavourable?', 'As to {t}, the writer had hoped for better.']
IN_FAVOUR = ['Is {p} for {x}?', '{p} supports {x}.', 'Would {p} be happy if {x} came?', '{p} is on the side of {x}.', 'Does {p} want {x} to go ahead?', '{p} can be counted among the friends of {x}.']
OPPOSED = ['Is {p} against {x}?', '{p} rejects {x}.', 'Would {p} be happy if {x} were dropped?', '{p} is an opponent of {x}.', 'Does {p} want {x} to be stopped?', '{p} can be counted among the critics of {x}.']


def twin(rng: random.Random) -> Twin:
    return rng.choice([review, review, graded, debate, stances])(rng)


def review(rng: random.Random) -> Twin:
    """Two aspects, of which one is praised and one criticized, change places; the others stay."""
    setting = rng.choice(SETTINGS)
    targets = rng.sample(list(setting.aspects), rng.randint(2, 4))
    first, second = targets[:2]
    rest = {target: rng.random() < 0.5 for target in targets[2:]}
    worlds = [{**rest, first: good, second: not good} for good in (True, False)]
    shown = rng.sample(targets, len(targets))

    def render(world: dict[str, bool], draw: random.Random) -> State:
        joint = draw.choice(['{T}: {s}', 'as to {t}: {s}', '{s} (That is about {t}.)', 'now for {t}: {s}', '{T}? {S}', 'a word on {t}: {s}'])
        facts = []
        for target in shown:
            praise, blame = setting.aspects[target]
            if draw.random() < 0.35:
                facts.append(fill(draw, [draw.choice(list(zip(*GENERAL)))[0 if world[target] else 1]], t=target))
                continue
            text = draw.choice(list(zip(praise, blame)))[0 if world[target] else 1]
            facts.append(capital(joint.format(t=target, T=capital(target), s=text, S=capital(text))))
        if draw.random() < 0.15:
            return {'kind': setting.title, 'text': ' '.join(facts)}
        return layout(draw, facts, setting.title, mix=False)

    questions = [polar(rng, (i == 0, i == 1), filled(PRAISED, t=target), filled(BLAMED, t=target), ('the writer speaks well of it', 'the writer speaks badly of it')) for i, target in enumerate((first, second))]
    likes, dislikes = ([target for target in targets if world[target]] for world in worlds), ([target for target in targets if not world[target]] for world in worlds)
    for found, forms in ((list(likes), ['What pleased the writer?', 'Which of these gets praise?', 'With what is the writer happy?', 'Strong point?']), (list(dislikes), ['What displeased the writer?', 'Which of these gets criticism?', 'With what is the writer unhappy?', 'Weak point?'])):
        if len(found[0]) == len(found[1]) == 1:
            questions.append(pick(rng, forms, (found[0][0], found[1][0]), [*targets, *([aspect for aspect in setting.aspects if aspect not in targets][:1] if len(targets) == 2 else [])]))
    group = [target for target in targets if target != second]
    counts = [sum(world[target] for target in group) for world in worlds]
    questions.append(score(f'Leaving {second} aside, how many of the things judged get praise?', ['none', 'one', 'two', 'three'][:len(group) + 1], (counts[0], counts[1])))
    questions.append(described(rng, [f'Tone of what is said on {first}?', f'What does the writer feel about {first}?', f'{capital(first)}: verdict?'], VERDICTS, ('positive', 'negative')))
    return made(rng, both(render, worlds, rng), questions)


def debate(rng: random.Random) -> Twin:
    """Two people of opposite minds on one proposal, or one person on two; they change places."""
    x, y = rng.sample(PROPOSALS, 2)
    one, two, three = (person.name for person in people(rng, 3))
    single = rng.random() < 0.4  # one person on two proposals

    def render(flipped: bool, draw: random.Random) -> State:
        views = [(one, x, not flipped), (one, y, flipped)] if single else [(one, x, not flipped), (two, x, flipped)]
        pro, con = draw.choice(FOR), draw.choice(AGAINST)
        facts = [fill(draw, [pro if good else con], p=who, x=target) for who, target, good in views]
        if draw.random() < 0.6:
            facts.append(fill(draw, UNSURE, p=three, x=x))
        draw.shuffle(facts)
        return layout(draw, padded(draw, facts, 2), f'On {x}' if not single else '', mix=False)

    pairs = [(one, x), (one, y)] if single else [(one, x), (two, x)]
    questions = [polar(rng, (i == 0, i == 1), filled(IN_FAVOUR, p=who, x=target), filled(OPPOSED, p=who, x=target), ('wants it', 'does not want it')) for i, (who, target) in enumerate(pairs)]
    if single:
        others = [proposal for proposal in PROPOSALS if proposal not in (x, y)][:2]
        questions.append(pick(rng, [f'What does {one} support?', f'Which of these would {one} like to see come?'], (x, y), others))
        questions.append(pick(rng, [f'What does {one} oppose?', f'Which of these would {one} like to see dropped?'], (y, x), others))
    else:
        questions.append(pick(rng, [f'Who supports {x}?', f'Who hopes that {x} comes?', f'In favour of {x}:'], (one, two), [three]))
        questions.append(pick(rng, [f'Who is against {x}?', f'Who hopes that {x} comes to nothing?', f'Opponent of {x}:'], (two, one), [three]))
    stance = {'for': f'wants {x}', 'against': f'does not want {x}', 'undecided': 'has not made up their mind'}
    questions.append(described(rng, [f'Stance of {one} on {x}?', f'Where does {one} stand on {x}?', f'How does {one} see {x}?'], stance, ('for', 'against')))
    questions.append(score(rng.choice([f'How does {one} feel about {x}?', f'Attitude of {one} to {x}:']), ['against', 'undecided', 'in favour'], (2, 0)))
    return made(rng, both(render, (False, True), rng), questions)


def graded(rng: random.Random) -> Twin:
    """One aspect is praised, criticized, both or passed over; two others stay as they are."""
    setting = rng.choice(SETTINGS)
    target, *others = rng.sample(list(setting.aspects), 3)
    here, there = rng.sample(list(VERDICTS), 2)
    rest = {other: rng.random() < 0.5 for other in others}
    shown = rng.sample([target, *others], 3)

    def render(verdict: str, draw: random.Random) -> State:
        facts = []
        for aspect in shown:
            praise, blame = (draw.choice(list(texts)) for texts in setting.aspects[aspect])
            joint, bridge = draw.choice(['{T}: {s}', 'as to {t}: {s}', '{s} (That is about {t}.)', 'now for {t}: {s}', '{T}? {S}']), draw.choice(['On the other hand, {}', 'Then again, {}', 'Against that: {}', 'But to be fair: {}'])
            good = rest[aspect] if aspect in rest else verdict == 'positive' or verdict == 'mixed' and draw.random() < 0.5
            text = praise if good else blame
            if aspect == target and verdict == 'mixed':
                text += ' ' + bridge.format(blame if good else praise)
            if aspect != target or verdict != 'absent':
                facts.append(capital(joint.format(t=aspect, T=capital(aspect), s=text, S=capital(text))))
        return layout(draw, facts, setting.title, mix=False)

    questions = [described(rng, [f'Tone of what is said on {target}?', f'What does the writer feel about {target}?', f'{capital(target)}: verdict?'], VERDICTS, (here, there))]
    for side, yes, no in (('positive', ['Does {t} get any praise?', 'The writer has something kind to say on {t}.', 'At least one point speaks for {t}.'], ['Does {t} go without any praise?', 'The writer has nothing kind to say on {t}.', 'Not one point is made in favour of {t}.']),
                          ('negative', ['Does {t} get any criticism?', 'The writer has something to complain of in {t}.', 'At least one point speaks against {t}.'], ['Does {t} get by without any criticism?', 'The writer has no complaint about {t}.', 'Not one point is made against {t}.'])):
        truth = tuple(verdict in (side, 'mixed') for verdict in (here, there))
        if truth[0] != truth[1]:
            questions.append(polar(rng, (truth[0], truth[1]), filled(yes, t=target), filled(no, t=target)))
    return made(rng, both(render, (here, there), rng), questions)


def stances(rng: random.Random) -> Twin:
    """Two people, two of the three stances for, against and undecided; they change places."""
    x, (one, two) = rng.choice(PROPOSALS), (person.name for person in people(rng, 2))
    kinds = {'for': FOR, 'against': AGAINST, 'undecided': UNSURE}
    here, there = rng.sample(list(kinds), 2)

    def render(world: tuple[str, str], draw: random.Random) -> State:
        ways = {stance: draw.choice(forms) for stance, forms in kinds.items()}
        facts = [fill(draw, [ways[stance]], p=who, x=x) for who, stance in zip((one, two), world)]
        return layout(draw, padded(draw, draw.sample(facts, 2), 2), f'On {x}', mix=False)

    asked = {'for': ['Has {p} come out in favour of {x}?', '{p} is among those who want {x}.', 'Can a vote of {p} for {x} be counted on?'], 'against': ['Has {p} come out against {x}?', '{p} is among those who do not want {x}.', 'Can a vote of {p} against {x} be counted on?'],
             'undecided': ['Is {p} still undecided on {x}?', '{p} has taken neither side on {x}.', 'As to {x}, {p} does not lean either way.']}
    asked_no = {'for': ['Has {p} failed to come out in favour of {x}?', '{p} does not back {x}, at least not so far.'], 'against': ['{p} does not oppose {x}, at least not so far.', 'Is {p} no opponent of {x}?'], 'undecided': ['Has {p} taken a side on {x}?', '{p} has made a choice on {x}.', 'Does {p} hold a firm view on {x}?']}
    questions = []
    for who, views in ((one, (here, there)), (two, (there, here))):
        for stance in views:
            questions.append(polar(rng, (views[0] == stance, views[1] == stance), filled(asked[stance], p=who, x=x), filled(asked_no[stance], p=who, x=x)))
        questions.append(described(rng, [f'Stance of {who} on {x}?', f'Where does {who} stand on {x}?', f'How does {who} see {x}?'], {'for': f'wants {x}', 'against': f'does not want {x}', 'undecided': 'has not made up their mind'}, views))
        level = {'against': 0, 'undecided': 1, 'for': 2}
        questions.append(score(rng.choice([f'How does {who} feel about {x}?', f'Attitude of {who} to {x}:']), ['against', 'undecided', 'in favour'], (level[views[0]], level[views[1]])))
    return made(rng, both(render, ((here, there), (there, here)), rng), questions)
