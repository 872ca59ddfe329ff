"""Runs the recipe's commands."""

import subprocess
import sys

from umpire_recipe.folders import TRAINING


def run(*command: object) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], cwd=TRAINING, text=True, capture_output=True)


def run_module(module: str, *arguments: object) -> subprocess.CompletedProcess:
    return run(sys.executable, "-m", module, *arguments)


def passed(done: subprocess.CompletedProcess) -> str:
    """What the command printed."""
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def steps_in(said: str) -> str:
    """The steps of a release that ran, with their times."""
    return "\n".join(line for line in said.splitlines() if line.startswith("-- ") and line.endswith(" s"))
