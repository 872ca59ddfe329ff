import hashlib
import json
import shutil
import tempfile
import unittest
from pathlib import Path

from umpire_recipe.folders import PACKS, RELEASES
from umpire_recipe.reseal import Refused, reseal


class Reseal(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.pack, self.release = Path(folder.name) / "umpire-2", Path(folder.name) / "release"
        shutil.copytree(PACKS / "umpire-2", self.pack)
        self.release.mkdir()
        (self.release / "card.md").write_bytes((RELEASES / "umpire-2" / "card.md").read_bytes())
        self.calibration = json.loads((RELEASES / "umpire-2" / "calibration.json").read_text("utf-8"))
        self.describe(self.calibration)

    def describe(self, calibration: dict) -> None:
        (self.release / "calibration.json").write_text(json.dumps(calibration), "utf-8")

    def test_the_released_pack_stays_as_it_is(self):
        reseal(self.pack, self.release)
        for path in (PACKS / "umpire-2").iterdir():
            self.assertEqual((self.pack / path.name).read_bytes(), path.read_bytes(), path.name)

    def test_a_new_card_and_new_curves_are_sealed_and_nothing_else_changes(self):
        before = json.loads((self.pack / "manifest.json").read_text("utf-8"))
        curves = {kind: [{"maxOptions": 255, "slope": 1, "bias": 0}] for kind in ("choice", "noul", "score")}
        self.describe(self.calibration | {"accuracy": curves})
        (self.release / "card.md").write_text("# another\n", "utf-8")
        reseal(self.pack, self.release)
        text = (self.pack / "manifest.json").read_bytes()
        after = json.loads(text)
        self.assertEqual(after["calibration"]["accuracy"], curves)
        card = after["files"].pop("MODEL_CARD.md")
        self.assertEqual(card, {"sizeBytes": 10, "sha256": hashlib.sha256(b"# another\n").hexdigest()})
        self.assertEqual((self.pack / "manifest.json.sha256").read_text("utf-8"), f"{hashlib.sha256(text).hexdigest()}  manifest.json\n")
        del before["files"]["MODEL_CARD.md"], before["calibration"]["accuracy"], after["calibration"]["accuracy"]
        self.assertEqual(after, before)

    def test_other_temperatures_are_refused(self):
        self.describe(self.calibration | {"score": {"temperature": 2}})
        with self.assertRaisesRegex(Refused, "another temperature of score"):
            reseal(self.pack, self.release)

    def test_a_pack_that_is_not_as_it_was_sealed_is_refused(self):
        for name in ("weights.bin", "manifest.json"):
            with self.subTest(name):
                (self.pack / name).write_bytes((self.pack / name).read_bytes() + b"\n")
                with self.assertRaisesRegex(Refused, f"{name} is not as it was sealed"):
                    reseal(self.pack, self.release)
