"""Which steps of a release are done: <work>/done.json, with each step's command and the SHA-256 of the files that it read."""

import hashlib
import json
import os
from pathlib import Path

from umpire_recipe.release.steps import Step


def sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


class Progress:
    def __init__(self, work: Path):
        self.path = work / "done.json"
        self.records: dict[str, dict] = json.loads(self.path.read_text("utf-8")) if self.path.exists() else {}

    def is_done(self, step: Step) -> bool:
        """Whether the step has run with this command on these files, and its result is still there."""
        there = step.makes.exists() and all(path.exists() for path in step.reads)
        return there and self.records.get(step.name) == self.record(step)

    def was_done_otherwise(self, step: Step) -> bool:
        return step.name in self.records and not self.is_done(step)

    def finish(self, step: Step) -> None:
        self.records[step.name] = self.record(step)
        part = self.path.with_suffix(".part")
        part.write_text(json.dumps(self.records, indent=1) + "\n", encoding="utf-8")
        os.replace(part, self.path)

    def record(self, step: Step) -> dict:
        return {"command": step.command, "read": {str(path): sha256(path) for path in step.reads}}
