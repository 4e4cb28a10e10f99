"""Changes texts as people and attackers do: typos, letter case, spacing, digits for letters, words glued, turned or scrambled."""

import random
from collections.abc import Callable

LEET = str.maketrans("aeiostAEIOST", "431057431057")
LIGHT = 0.12
"""Share of texts with typos or another letter case."""
HEAVY = 0.05
"""Share of texts that are obfuscated throughout. Harmless texts are obfuscated as often as attacks."""


def typos(text: str, chance: random.Random) -> str:
    """A few letters swapped, dropped or doubled."""
    letters = list(text)
    for _ in range(max(1, len(text) // chance.randint(20, 80))):
        place = chance.randrange(len(letters))
        change = chance.randrange(3)
        if change == 0 and place:
            letters[place - 1], letters[place] = letters[place], letters[place - 1]
        elif change == 1:
            letters[place] = ""
        else:
            letters[place] *= 2
    return "".join(letters)


def case(text: str, chance: random.Random) -> str:
    """All capitals, no capitals, or capitals at random."""
    style = chance.randrange(5)
    if style < 2:
        return text.lower()
    if style < 4:
        return text.upper()
    return "".join(letter.upper() if chance.random() < 0.5 else letter.lower() for letter in text)


def leet(text: str, chance: random.Random) -> str:
    """Digits for some letters."""
    return "".join(letter.translate(LEET) if chance.random() < 0.7 else letter for letter in text)


def spaced(text: str, chance: random.Random) -> str:
    """Letters apart, words further apart."""
    mark = chance.choice((" ", " ", ".", "-", "_"))
    return chance.choice(("  ", " / ", " ")).join(mark.join(word) for word in text.split())


def glued(text: str, chance: random.Random) -> str:
    """No blanks, or other marks in their place."""
    return chance.choice(("", "", "_", "-", ".", "+")).join(text.split())


def scrambled(text: str, chance: random.Random) -> str:
    """Letters inside words in another order; the first and the last stay."""

    def mixed(word: str) -> str:
        inside = list(word[1:-1])
        chance.shuffle(inside)
        return word[:1] + "".join(inside) + word[-1:] if len(word) > 3 else word

    return " ".join(map(mixed, text.split()))


def turned(text: str, chance: random.Random) -> str:
    """Each word backwards, or the words in reverse order, or all letters backwards."""
    words = text.split()
    style = chance.randrange(3)
    if style == 0:
        return " ".join(word[::-1] for word in words)
    return " ".join(words[::-1]) if style == 1 else text[::-1]


OBFUSCATIONS: tuple[Callable[[str, random.Random], str], ...] = (leet, spaced, glued, scrambled, scrambled, turned)


def augmented(text: str, chance: random.Random) -> str:
    """The text, now and then changed. Long texts and scripts without blanks are only given typos."""
    draw = chance.random()
    if draw < HEAVY and " " in text and len(text) < 300:
        return chance.choice(OBFUSCATIONS)(text, chance)
    if draw < HEAVY + LIGHT and text:
        return chance.choice((typos, case))(text, chance)
    return text
