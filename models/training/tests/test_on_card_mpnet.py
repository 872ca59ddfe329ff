"""A rehearsal for another backbone than the sealed pack's: sent in parts, trained, brought back in several returns."""

import contextlib
import io
import json
import shutil
import tempfile
import unittest
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import numpy as np
import torch
from safetensors.torch import load_file, save_file

from tests.random_backbone import mpnet_configuration, write_backbone
from tests.small_data import write_small_data
from umpire_recipe.backbone.folder import open_backbone
from umpire_recipe.backbone.start import changed, starting_tensors
from umpire_recipe.checkpoint import read_settings
from umpire_recipe.on_card import limits, pack, pieces, rest, run, unpack
from umpire_recipe.on_card.folder import PackedFolder
from umpire_recipe.on_card.parts import in_parts, pieces_of

OWN, PART, PIECE = 1000, 90_000, 20_000
NOWHERE = Path("no sealed pack is needed")


def said_by(main, *words: object) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as said:
        main([str(word) for word in words])
    return said.getvalue()


@contextlib.contextmanager
def small_transfers() -> Iterator[None]:
    with (
        mock.patch.object(pack, "repository_bytes", lambda _: OWN),
        mock.patch.object(pack, "SENT_BYTES", OWN + PART),
        mock.patch.object(pack, "LEAST_SENT_BYTES", PART // 2),
        mock.patch.object(pack, "RETURNED_BYTES", 0),  # too large to come back whole, as the real one is
        mock.patch.object(limits, "PIECE_BYTES", PIECE),
    ):
        yield


class Rehearsal(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        name = tempfile.TemporaryDirectory()
        cls.addClassCleanup(name.cleanup)
        cls.at = Path(name.name)
        cls.data, cls.own = write_small_data(cls.at / "data"), cls.at / "own"
        cls.own.mkdir()
        cls.encoder = write_backbone(cls.at / "encoder", mpnet_configuration(3, 64, 4))
        cls.backbone = open_backbone(cls.encoder)
        # Weights to start from: a trained head, and one matrix that is not the backbone's.
        chance = torch.Generator().manual_seed(0)
        change = {"layers.1.f1.weight.q": torch.randint(-127, 128, (256, 64), generator=chance, dtype=torch.int8)}
        change |= {"layers.1.f1.weight.s": torch.full((256,), 0.001), "head.weight": torch.randn(3, 64, generator=chance)}
        cls.difference = cls.at / "difference.safetensors"
        save_file(change, str(cls.difference))
        cls.packed = cls.pack("packed", cls.difference)

    @classmethod
    def pack(cls, name: str, start: object, *words: object) -> Path:
        mix = ("--rows", 4, "--nli-share", 0.2, "--decision-passes", 1, "--passes", 2)
        with small_transfers():
            asked = ("--data", cls.data, "--authored", cls.own, "--backbone", cls.encoder, "--start", start)
            cls.said = said_by(pack.main, *asked, "--out", cls.at / name, *mix, *words)
        return cls.at / name

    def run_on(self, packed: Path, out: str, *words: object) -> Path:
        small = ("--batch-tokens", 1024, "--round-tokens", 5000, "--twins-each", 1, "--batch-workers", 1, "--twin-workers", 1)
        folders = ("--packed", packed, "--out", self.at / out, "--rest", self.at / f"{out}-rest", "--sealed", NOWHERE)
        with small_transfers():
            self.said = said_by(run.main, *folders, "--minutes", 9, "--device", "cpu", *small, *words)
        return self.at / out

    def test_from_pack_to_unpack(self):
        # Only parts travel, each with the manifest.
        parts = sorted(self.packed.iterdir())
        self.assertGreater(len(parts), 2)
        self.assertEqual([part.name for part in parts], [f"part-{number + 1}" for number in range(len(parts))])
        for part in parts:
            self.assertLessEqual(sum(path.stat().st_size for path in part.iterdir()), PART)
        self.assertIn("part-2: 0.1 MiB", self.said)

        # What is packed is the start, but for rounding.
        start = PackedFolder(self.packed).start(NOWHERE)
        expected = changed(starting_tensors(self.backbone), self.difference)
        self.assertEqual(start.keys(), expected.keys())
        for name, tensor in expected.items():
            step = tensor.abs().amax(-1, keepdim=True).numpy() / 127 if tensor.ndim > 1 else 0
            self.assertTrue((np.abs(start[name] - tensor.numpy()) <= 0.51 * step + 1e-3).all(), name)

        # A part that has not come.
        arrived = self.at / "arrived"
        shutil.copytree(parts[0], arrived / "part-1")
        with self.assertRaisesRegex(SystemExit, "part-2 is not there: send it first"):
            self.run_on(arrived, "nothing", "--steps", 1)
        for part in parts[1:]:
            shutil.copytree(part, arrived / part.name)

        with mock.patch.object(run, "write_pieces", wraps=run.write_pieces) as written:
            out = self.run_on(arrived, "first", "--steps", 5, "--rate", 0.01, "--dropout", 0.1, "--quantise-from", 0)
        trained = written.call_args.args[1]
        self.assertLessEqual(len(list(out.iterdir())), limits.RETURNED_FILES)
        self.assertIn("3 returns: bring back the rest", self.said)
        figures = json.loads((out / "figures.json").read_text("utf-8"))
        self.assertEqual((figures["step"], figures["layers"]), (5, 3))
        self.assertIn("cls, mean of sets", figures["tuning"]["plain"])

        with self.assertRaisesRegex(SystemExit, "has not come back"):
            said_by(unpack.main, "--packed", self.packed, "--returned", out, "--sealed", NOWHERE, "--out", self.at / "none")
        returned = [out]
        for number in (2, 3):
            returned.append(self.at / f"second-{number}")
            said_by(rest.main, "--rest", self.at / "first-rest", "--number", number, "--out", returned[-1])
            self.assertLessEqual(len(list(returned[-1].iterdir())), limits.RETURNED_FILES)
        with self.assertRaisesRegex(SystemExit, "There is no return 4"):
            said_by(rest.main, "--rest", self.at / "first-rest", "--number", 4, "--out", self.at / "more")

        checkpoint = self.at / "back.safetensors"
        said_by(unpack.main, "--packed", self.packed, "--returned", *returned, "--sealed", NOWHERE, "--out", checkpoint)
        found = load_file(str(checkpoint))
        self.assertEqual(read_settings(checkpoint), self.backbone.settings)
        self.assertEqual(found.keys(), trained.keys())
        for name, tensor in found.items():
            change = trained[name] - torch.from_numpy(start[name])
            step = change.abs().amax(-1, keepdim=True) / 127 if tensor.ndim > 1 else 0
            near = 0.51 * step + 1e-3 * trained[name].abs() + 1e-6
            self.assertTrue(((tensor.float() - trained[name]).abs() <= near).all(), name)
        self.assertGreater(float((found["layers.0.o.weight"] - torch.from_numpy(start["layers.0.o.weight"])).abs().max()), 1e-3)
        for name in ("word.weight", "rel.weight"):
            torch.testing.assert_close(found[name], torch.from_numpy(start[name]).half(), rtol=0, atol=0)

        # And on from there, with some of the layers.
        again = PackedFolder(self.pack("again", checkpoint, "--pick-layers", 0, 2)).start(NOWHERE)
        self.assertEqual(sum(name.endswith(".qkv.weight") for name in again), 2)
        torch.testing.assert_close(torch.from_numpy(again["layers.1.n1.weight"]), found["layers.2.n1.weight"].float())

    def test_starts_that_are_refused(self):
        other = self.at / "other.safetensors"
        save_file({"word.weight": torch.zeros(7, 64)}, str(other))
        with self.assertRaisesRegex(SystemExit, "comes from another backbone"):
            self.pack("refused", other)
        with mock.patch.object(pack, "repository_bytes", lambda _: limits.SENT_BYTES), self.assertRaises(limits.TooLarge):
            pack.write_in_parts(self.at / "refused", {}, {"files": {}}, limits.SENT_BYTES)

    def test_a_file_goes_on_in_the_next_part(self):
        parts = in_parts({"a": b"12345", "b": b"67", "c": b"8"}, 3)
        self.assertEqual(
            parts, [[("part-1/a", b"123")], [("part-2/a", b"45"), ("part-2/b", b"6")], [("part-3/b", b"7"), ("part-3/c", b"8")]]
        )
        self.assertEqual(pieces_of("b", parts), ["part-2/b", "part-3/b"])

    def test_returns_of_the_real_size(self):
        """86 million weights in int8: six pieces, four in the first return."""
        self.assertEqual(pieces.pieces_a_return(), 4)


if __name__ == "__main__":
    unittest.main()
