"""Long states: the text that decides stands among unrelated texts, and the state is read in two to eight windows."""

import random
from dataclasses import replace

from umpire_recipe.prepare.asked import Group
from umpire_recipe.prepare.packed import OVERLAP_TOKENS

# Shorter than the windows in use. Windows do not see one another, so their number matters more than their length, and the cost of
# attention over one packed sequence grows with its square.
WINDOW_TOKENS = (64, 200)
WORDS_A_TOKEN = 0.75  # roughly; texts with many digits and signs have more tokens, but are still read whole
MOST_WINDOWS = 24
CAN_HIDE = ("decisions/", "own/", "generated/")


def hidden(group: Group, strangers: list[str], chance: random.Random) -> Group:
    """Puts the group's state at a random place among other texts. Returns the group unchanged if it leaves no room for them."""
    window = chance.randint(*WINDOW_TOKENS)
    windows = chance.choice((2, 2, 2, 3, 3, 4, 5, 6, 8)) if window < 110 else chance.choice((2, 2, 3, 4))
    room = (OVERLAP_TOKENS + windows * (window - OVERLAP_TOKENS)) * WORDS_A_TOKEN - len(group.state.split())
    if room <= 0:
        return group
    around: list[str] = []
    while room > 12:
        text = " ".join(chance.choice(strangers).split()[: int(room)])
        around.append(text)
        room -= len(text.split())
    around.insert(chance.randint(0, len(around)), group.state)
    return replace(group, state="\n\n".join(around), window_tokens=window, max_windows=MOST_WINDOWS, source=group.source + " (long)")


def with_long_states(groups: list[Group], share: float, chance: random.Random) -> list[Group]:
    """Hides the states of a share of the groups among other texts.

    Only groups whose questions ask about particulars are eligible: their answers stay the same.
    """
    texts = [group.state for group in groups if not group.source.startswith("generated/")]
    strangers = [text for text in texts if 30 <= len(text.split()) <= 150] or texts
    return [
        hidden(group, strangers, chance)
        if group.source.startswith(CAN_HIDE) and chance.random() < share and len(group.state.split()) < 300
        else group
        for group in groups
    ]
