"""How much may travel to the machine with the card and back, and checks of it."""

import hashlib
import subprocess
from pathlib import Path

MIB = 2**20
MIX_BYTES = 25 * MIB
SENT_BYTES = 60 * MIB  # of a transfer: the repository's own files and the packed folder, or a part of it
LEAST_SENT_BYTES = 10 * MIB  # beside the repository's own: smaller parts would be too many transfers
PIECE_BYTES = 15 * MIB
RETURNED_BYTES, RETURNED_FILES = 62 * MIB, 8


class TooLarge(Exception):
    """Something exceeds a limit of the machine. Its text says what, by how much, and what to do."""


def at_most(what: str, size: int, limit: int, advice: str) -> None:
    """Raises TooLarge if size, in bytes, exceeds the limit."""
    if size > limit:
        raise TooLarge(f"{what}: {size / MIB:.1f} MiB, more than {limit / MIB:.0f} MiB. {advice}")


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def repository_bytes(root: Path) -> int:
    """Size of all files that git does not ignore: they travel, too."""
    listed = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=True)
    paths = {root / name for name in listed.stdout.split("\0") if name}
    return sum(path.stat().st_size for path in paths if path.is_file())
