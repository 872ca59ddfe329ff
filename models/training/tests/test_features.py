import json
import tempfile
import unittest
from pathlib import Path

import numpy as np

from tests.random_checkpoint import LAYERS, WIDTH, write_checkpoint
from tests.random_pack import write_pack
from tests.small_data import SHARED_TEXT, write_small_data
from umpire_recipe.answering.features import Featurer, layers_of_features
from umpire_recipe.answering.reference import pack_reference
from umpire_recipe.answering.session import PackSession
from umpire_recipe.export.pack import add_basis
from umpire_recipe.features.basis import principal, read_basis, written
from umpire_recipe.features.texts import texts
from umpire_recipe.prepare.holdout import SETS, is_held_out

LONG = " ".join(f"Note {i}: the harbour bridge is open again." for i in range(120))  # several windows


def uneven(rows: int, size: int, seed: int = 0) -> np.ndarray:
    """Rows whose directions have very different deviations and are not those of the columns."""
    chance = np.random.default_rng(seed)
    mixed, _ = np.linalg.qr(chance.normal(size=(size, size)))
    return 3 + (chance.normal(size=(rows, size)) * np.geomspace(10, 0.1, size)) @ mixed


class Basis(unittest.TestCase):
    def test_layers(self):
        self.assertEqual([layers_of_features(layers) for layers in (3, 6, 8, 12)], [[1, 2], [3, 4, 5], [4, 5, 6, 7], [6, 8, 9, 11]])

    def test_features_are_uncorrelated_and_of_one_variance(self):
        raw = uneven(3000, 40)
        features = principal(raw, 12).features(raw)
        np.testing.assert_allclose(features.mean(axis=0), 0, atol=1e-9)
        np.testing.assert_allclose(features.T @ features / len(raw), np.eye(12) / 12, atol=1e-9)

    def test_int8_components_keep_them(self):
        raw = uneven(3000, 200)
        exact = principal(raw, 96)
        expected, stored = exact.features(raw), exact.stored().features(raw)
        cosines = (expected * stored).sum(1) / np.linalg.norm(expected, axis=1) / np.linalg.norm(stored, axis=1)
        self.assertGreater(cosines.min(), 0.99)

    def test_directions_have_one_sign(self):
        raw = uneven(500, 20)
        for component in principal(raw, 8).components:
            self.assertGreater(component[np.abs(component).argmax()], 0)

    def test_the_file_is_mean_components_and_scales_of_each_part(self):
        parts = [principal(uneven(300, 16, seed), 4).stored() for seed in (1, 2)]
        content = written(parts)
        self.assertEqual(len(content), 2 * (4 * 16 + 4 * 16 + 4 * 4))
        np.testing.assert_array_equal(np.frombuffer(content, "<f4", 16), parts[0].mean)
        np.testing.assert_array_equal(np.frombuffer(content, "i1", 16, 4 * 16), parts[0].components[0])
        for part, again in zip(parts, read_basis(content, 4, 16), strict=True):
            for name in ("mean", "components", "scales"):
                np.testing.assert_array_equal(getattr(again, name), getattr(part, name))
        with self.assertRaisesRegex(ValueError, "has 288 bytes, not 289"):
            read_basis(content + b"x", 4, 16)


class Features(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        at = Path(folder.name)
        write_checkpoint(at / "random.safetensors")
        cls.pack = at / "random"
        cls.manifest = write_pack(cls.pack, at / "random.safetensors")
        cls.plain = pack_reference(cls.pack, cls.manifest)

    def featurer(self, network, manifest=None) -> Featurer:
        return Featurer(self.pack, manifest or self.manifest, network)

    def test_every_graph_gives_those_of_the_reference(self):
        for precision, allowed in (("fp32", 2e-5), ("webgpu-fp32", 2e-5), ("int8", 0.2)):
            session = PackSession(self.pack, self.manifest, precision)
            for state, instructions in (("The bridge is open.", "Is it open?"), (LONG, "Is it open?"), (LONG, ""), ("", "Why?"), ("", "")):
                with self.subTest(precision, state=len(state), instructions=instructions):
                    found = self.featurer(session).features(state, instructions)
                    np.testing.assert_allclose(found, self.featurer(self.plain).features(state, instructions), atol=allowed)

    def test_they_are_means_over_the_tokens_of_all_windows_and_of_the_instructions(self):
        featurer = self.featurer(self.plain)
        tokens = featurer.decider.tokenizer.ids
        windows = self.plain.read_state(tokens(LONG))
        self.assertGreater(len(windows), 2)
        of_state, of_question = self.plain.values(windows, tokens("Is it open?"), layers_of_features(LAYERS))
        self.assertEqual(of_state.shape, (sum(map(len, windows)), WIDTH * len(layers_of_features(LAYERS))))
        self.assertEqual(len(of_question), len(tokens("Is it open?")) + 2, "with the two special tokens")
        expected = [of_state.mean(axis=0, dtype=float), of_question.mean(axis=0, dtype=float)]
        np.testing.assert_array_equal(featurer.features(LONG, "Is it open?"), np.concatenate(expected))

    def test_the_state_part_does_not_depend_on_the_question_and_is_all_there_is_without_instructions(self):
        featurer = self.featurer(self.plain)
        half = len(featurer.features("The bridge is open.", "")) // 2
        asked, other, none = (featurer.features("The bridge is open.", text) for text in ("Is it?", "Who says so?", ""))
        np.testing.assert_allclose(asked[:half], other[:half], atol=1e-6)
        np.testing.assert_allclose(asked[:half], none[:half], atol=1e-6)
        self.assertGreater(np.abs(asked[half:] - other[half:]).max(), 0.01)
        self.assertEqual(np.abs(none[half:]).max(), 0)

    def test_a_basis_whitens_them(self):
        size = WIDTH * len(layers_of_features(LAYERS))
        parts = [principal(uneven(300, size, seed), 6).stored() for seed in (1, 2)]
        manifest = json.loads(json.dumps(self.manifest))
        add_basis(self.pack, manifest, written(parts))
        self.assertEqual(manifest["features"], {"layers": layers_of_features(LAYERS), "basis": {"file": "features.bin", "components": 6}})
        raw = self.featurer(self.plain).features("The bridge is open.", "Is it open?").reshape(2, -1)
        found = self.featurer(self.plain, manifest).features("The bridge is open.", "Is it open?")
        np.testing.assert_allclose(found, np.concatenate([part.features(of) for part, of in zip(parts, raw, strict=True)]))
        without = self.featurer(self.plain, manifest).features("The bridge is open.", "")
        np.testing.assert_array_equal(without[6:], np.zeros(6))
        with self.assertRaisesRegex(ValueError, "A basis of"):
            add_basis(self.pack, manifest, written(parts)[:-1])


class Texts(unittest.TestCase):
    def test_no_text_is_held_out_and_a_set_has_one_instruction(self):
        with tempfile.TemporaryDirectory() as folder:
            data = write_small_data(Path(folder))
            read = texts(data, 12)
            sets = {path.name.removesuffix(".jsonl.gz") for path in (data / "cls" / "train").glob("*.jsonl.gz")} - set(SETS)
            held = {row for row, _ in read if is_held_out(row)}
            self.assertEqual(held, set())
            self.assertEqual(len(read), 12 * len(sets))
            self.assertEqual(read, texts(data, 12), "the same every time")
            self.assertFalse([row for row, _ in texts(data, 10_000) if row == SHARED_TEXT])


if __name__ == "__main__":
    unittest.main()
