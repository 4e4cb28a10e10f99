"""Cuts texts into windows: at most `CONTENT` pieces each, at ends of sentences and lines where there are any."""

from dataclasses import dataclass

from tokenizers import Encoding

LONGEST = 128
"""Pieces of a window, with the marks at its beginning and end."""
CONTENT = LONGEST - 2
SHORTEST = CONTENT // 2
"""A window that is not the last has at least so many pieces."""
OVERLAP = 32
"""Pieces that a window shares with the one before, at most."""
BEGIN, END = 0, 2
"""Ids of the marks."""
STOPS = frozenset(".!?;:…؟۔।॥")
WIDE_STOPS = frozenset("。！？；")


@dataclass
class Pieces:
    """A text in pieces: their ids, their places in the text (code points), and the ends of sentences among them."""

    ids: list[int]
    offsets: list[tuple[int, int]]
    breaks: list[bool]


def pieces(text: str, encoding: Encoding) -> Pieces:
    """The pieces of a text. A piece ends a sentence when a line ends behind it, or when it ends in a full stop or the like."""

    def ends(end: int) -> bool:
        last, after = text[end - 1 : end], text[end : end + 1]
        return after == "\n" or last in WIDE_STOPS or (last in STOPS and (not after or after.isspace()))

    return Pieces(encoding.ids, encoding.offsets, [ends(end) for _, end in encoding.offsets])


def cut(breaks: list[bool], start: int = 0) -> list[tuple[int, int]]:
    """Windows over pieces, as half-open ranges. Every piece from `start` on is in one or two of them."""
    found = []
    count = len(breaks)
    while True:
        end = min(start + CONTENT, count)
        if end < count:
            end = next((place for place in range(end, start + SHORTEST, -1) if breaks[place - 1]), end)
        found.append((start, end))
        if end >= count:
            return found
        start = next((place for place in range(end - OVERLAP, end) if breaks[place - 1]), end - OVERLAP)
