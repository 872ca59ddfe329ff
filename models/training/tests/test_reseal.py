import hashlib
import json
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np

from umpire_recipe.export.pack import GRAPHS
from umpire_recipe.features.basis import principal, written
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
        counts = {kind: [{"maxOptions": 255, "points": [{"probability": 0.9, "answers": 12, "errors": 1}]}] for kind in curves}
        thresholds = {"noul": {"yes": [{"maxErrorRate": 0.1, "probability": 0.9}]}}
        self.describe(self.calibration | {"accuracy": curves, "risk": counts, "thresholds": thresholds})
        (self.release / "card.md").write_text("# another\n", "utf-8")
        reseal(self.pack, self.release)
        text = (self.pack / "manifest.json").read_bytes()
        after = json.loads(text)
        self.assertEqual(after["calibration"]["accuracy"], curves)
        self.assertEqual(after["calibration"]["thresholds"], thresholds)
        self.assertNotIn("risk", after["calibration"], "counts are what thresholds were fitted on")
        card = after["files"].pop("MODEL_CARD.md")
        self.assertEqual(card, {"sizeBytes": 10, "sha256": hashlib.sha256(b"# another\n").hexdigest()})
        self.assertEqual((self.pack / "manifest.json.sha256").read_text("utf-8"), f"{hashlib.sha256(text).hexdigest()}  manifest.json\n")
        for manifest in (before, after):
            for name in ("accuracy", "thresholds"):
                manifest["calibration"].pop(name, None)
        del before["files"]["MODEL_CARD.md"]
        self.assertEqual(after, before)

    def test_a_basis_of_features_is_sealed_and_nothing_else_changes(self):
        before = json.loads((self.pack / "manifest.json").read_text("utf-8"))
        basis = self.release / "basis.bin"
        chance = np.random.default_rng(0)
        basis.write_bytes(written([principal(chance.normal(size=(64, 3 * 384)), 16).stored() for _ in range(2)]))
        reseal(self.pack, self.release, basis)
        after = json.loads((self.pack / "manifest.json").read_text("utf-8"))
        self.assertEqual((self.pack / "features.bin").read_bytes(), basis.read_bytes())
        self.assertEqual(after["features"], {"layers": [3, 4, 5], "basis": {"file": "features.bin", "components": 16}})
        self.assertEqual({name: len(values) for name, values in after["selfTest"]["features"].items()}, {"int8": 8, "fp32": 8})
        self.assertEqual(after["files"].pop("features.bin")["sha256"], hashlib.sha256(basis.read_bytes()).hexdigest())
        for manifest in (before, after):
            manifest.pop("features", None)
            manifest["selfTest"].pop("features", None)
            manifest["files"].pop("features.bin", None)
        self.assertEqual(after, before)

    def test_a_basis_of_another_network_is_refused(self):
        basis = self.release / "basis.bin"
        basis.write_bytes(b"x" * 1000)
        with self.assertRaisesRegex(Refused, "A basis of .* has .* bytes, not 1000"):
            reseal(self.pack, self.release, basis)

    def test_new_graphs_are_those_that_the_released_pack_has(self):
        graphs = [self.pack / name for name in GRAPHS.values()]
        released = [graph.read_bytes() for graph in graphs]
        reseal(self.pack, self.release, new_graphs=True)
        self.assertEqual([graph.read_bytes() for graph in graphs], released)
        self.assertEqual((self.pack / "weights.bin").read_bytes(), (PACKS / "umpire-2" / "weights.bin").read_bytes())

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
