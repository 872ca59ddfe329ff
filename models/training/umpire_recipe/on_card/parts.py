"""A packed folder in parts, each small enough for a transfer of its own."""

from collections.abc import Mapping
from pathlib import Path

Piece = tuple[str, bytes]


def part_name(number: int) -> str:
    return f"part-{number}"


def in_parts(files: Mapping[str, bytes], size: int) -> list[list[Piece]]:
    """Parts of at most `size` bytes, and the pieces of files in each. A file that does not fit goes on in the next part."""
    parts: list[list[Piece]] = [[]]
    room = size
    for name, content in files.items():
        at = 0
        while at < len(content):
            if not room:
                parts.append([])
                room = size
            piece = content[at : at + room]
            parts[-1].append((f"{part_name(len(parts))}/{name}", piece))
            at, room = at + len(piece), room - len(piece)
    return parts


def pieces_of(name: str, parts: list[list[Piece]]) -> list[str]:
    """Paths of a file's pieces, in order."""
    return [path for part in parts for path, _ in part if Path(path).name == name]
