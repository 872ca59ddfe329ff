import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from safetensors.numpy import load_file

from tests.random_checkpoint import write_checkpoint
from umpire_recipe.architecture import Settings
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.folders import TRAINING


class Merge(unittest.TestCase):
    def merge(self, *arguments: object) -> subprocess.CompletedProcess:
        return subprocess.run(
            [sys.executable, "-m", "umpire_recipe.merge", *map(str, arguments)], cwd=TRAINING, capture_output=True, text=True
        )

    def test_the_weighted_mean_of_two(self):
        with tempfile.TemporaryDirectory() as name:
            one, two, out = (Path(name) / f"{part}.safetensors" for part in ("one", "two", "out"))
            write_checkpoint(one, seed=1)
            write_checkpoint(two, seed=2)
            self.assertEqual(self.merge("--out", out, f"{one}=0.25", f"{two}=0.75").returncode, 0)
            first, second, merged = (load_file(str(path)) for path in (one, two, out))
            for key in first:
                self.assertLess(abs(merged[key] - (0.25 * first[key].astype("f4") + 0.75 * second[key].astype("f4"))).max(), 1e-3)
            refused = self.merge("--out", out, f"{one}=0.5", f"{two}=0.75")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("sum to 1", refused.stderr)

    def test_the_mean_states_the_settings_of_its_parts(self):
        with tempfile.TemporaryDirectory() as name:
            one, two, other, out = (Path(name) / f"{part}.safetensors" for part in ("one", "two", "other", "out"))
            settings = Settings(4, 1e-5)
            for path, of in ((one, settings), (two, settings), (other, Settings(2, 1e-5))):
                write_checkpoint(path, settings=of)
            self.assertEqual(self.merge("--out", out, f"{one}=0.25", f"{two}=0.75").returncode, 0)
            self.assertEqual(read_settings(out), settings)
            self.assertIn("different shapes", self.merge("--out", out, f"{one}=0.25", f"{other}=0.75").stderr)


if __name__ == "__main__":
    unittest.main()
