"""Long states: the text that decides, somewhere among unrelated ones, read in two to eight windows."""

import random
from dataclasses import replace

from asked import Group
from packed import OVERLAP_TOKENS

# Windows of training are shorter than those of use: windows do not see one another, so that their number matters more than their length,
# and attention over one packed sequence costs its square.
WINDOW_TOKENS = (64, 200)
WORDS_A_TOKEN = 0.75  # about: texts with many figures and signs come out longer, and are read whole all the same
MOST_WINDOWS = 24
CAN_HIDE = ("decisions/", "own/", "twins/", "generated/")


def hidden(group: Group, strangers: list[str], chance: random.Random) -> Group:
    """The group with its state at a random place among other texts; as it was where it would leave them no room."""
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
    """Replaces a share of the groups that may be hidden. Their questions ask about particulars, so that company leaves the answers as they are."""
    texts = [group.state for group in groups if not group.source.startswith("generated/")]
    strangers = [text for text in texts if 30 <= len(text.split()) <= 150] or texts
    return [
        hidden(group, strangers, chance) if group.source.startswith(CAN_HIDE) and chance.random() < share and len(group.state.split()) < 300 else group
        for group in groups
    ]
