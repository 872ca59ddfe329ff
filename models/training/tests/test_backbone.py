"""Which encoders the recipe takes, and what it says of those that it refuses."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import numpy as np
import torch
from safetensors.numpy import save_file

from tests.random_backbone import configuration, tokenizer_settings, weights, write_backbone
from umpire_recipe.backbone.folder import open_backbone, own_backbone
from umpire_recipe.backbone.names import from_hub, to_hub
from umpire_recipe.backbone.refused import BackboneRefused
from umpire_recipe.backbone.tokenizer import pack_tokenizer
from umpire_recipe.checkpoint import read_settings, write_checkpoint
from umpire_recipe.folders import PACKS
from umpire_recipe.prepare import __main__ as prepare
from umpire_recipe.prepare.packed import Packer
from umpire_recipe.reading.tokenizer import TextTokenizer
from umpire_recipe.train.network import loaded, network_of, untrained

CONFIG = configuration(2, 64, 4)


class WithFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = Path(folder.name)

    def folder(self, **how: object) -> Path:
        return write_backbone(self.at / "encoder", how.pop("config", CONFIG), **how)

    def refusal(self, folder: Path) -> str:
        with self.assertRaises(BackboneRefused) as raised:
            open_backbone(folder)
        return str(raised.exception)


class Taken(WithFolder):
    def test_shape_and_settings_are_those_of_the_folder(self):
        wide = configuration(3, 96, 2, layer_norm_eps=1e-5, intermediate_size=160, max_position_embeddings=400)
        network = untrained(open_backbone(self.folder(config=wide)))
        self.assertEqual((len(network.layers), network.layers[0].heads, network.n.eps), (3, 2, 1e-5))
        self.assertEqual((*network.word.weight.shape, len(network.pos.weight)), (2560, 96, 400))
        self.assertEqual(network.layers[0].f1.out_features, 160)

    def test_weights_are_those_of_the_folder(self):
        network, hub = untrained(open_backbone(self.folder())), weights(CONFIG)
        np.testing.assert_array_equal(network.word.weight.detach().numpy(), hub["embeddings.word_embeddings.weight"])
        query = network.layers[1].qkv.weight.detach()[:64]
        np.testing.assert_array_equal(query.numpy(), hub["encoder.layer.1.attention.self.query.weight"])
        np.testing.assert_array_equal(network.pool.bias.detach().numpy(), hub["pooler.dense.bias"])

    def test_every_role_gets_a_token_type(self):
        for types, expected in ((1, [0, 0, 0]), (2, [0, 1, 1]), (4, [0, 1, 2])):
            config = CONFIG | {"type_vocab_size": types}
            network = untrained(open_backbone(write_backbone(self.at / str(types), config)))
            stored = weights(config)["embeddings.token_type_embeddings.weight"]
            np.testing.assert_array_equal(network.typ.weight.detach().numpy(), stored[expected])

    def test_an_encoder_with_a_head_and_without_a_pooler_is_taken(self):
        network = untrained(open_backbone(self.folder(prefix="bert.", without="pooler.")))
        self.assertGreater(float(network.pool.weight.detach().std()), 0.01)

    def test_names_come_back_as_they_were(self):
        hub = {name: torch.from_numpy(tensor) for name, tensor in weights(CONFIG).items()}
        again = to_hub(from_hub(hub, 2), 2)
        self.assertEqual(again.keys(), hub.keys())
        for name, tensor in again.items():
            torch.testing.assert_close(tensor, hub[name], rtol=0, atol=0)

    def test_the_tokenizer_reads_special_tokens_as_text_and_knows_its_own(self):
        for lowercase in (True, False):
            backbone = open_backbone(write_backbone(self.at / str(lowercase), CONFIG, lowercase))
            tokenizer, vocabulary = TextTokenizer(backbone.tokenizer_json), tokenizer_settings(lowercase)["model"]["vocab"]
            self.assertEqual((tokenizer.cls_id, tokenizer.sep_id), (vocabulary["[CLS]"], vocabulary["[SEP]"]))
            self.assertFalse({0, tokenizer.cls_id, tokenizer.sep_id} & set(tokenizer.ids("[CLS] a [SEP] b [PAD]")))
            same = tokenizer.ids("Ana") == tokenizer.ids("ana")
            self.assertEqual(same, lowercase)

    def test_a_checkpoint_states_what_its_weights_do_not_show(self):
        network = untrained(open_backbone(self.folder(config=CONFIG | {"layer_norm_eps": 1e-6})))
        write_checkpoint(self.at / "it.safetensors", network.state_dict(), network.settings)
        again = loaded(self.at / "it.safetensors")
        self.assertEqual((again.layers[0].heads, again.n.eps), (4, 1e-6))

    def test_a_checkpoint_that_states_nothing_has_heads_of_32(self):
        network = network_of(untrained(open_backbone(self.folder())).state_dict(), read_settings_of_old(self.at))
        self.assertEqual((network.layers[0].heads, network.n.eps), (2, 1e-12))

    def test_a_large_vocabulary_is_packed_in_four_bytes(self):
        for words, kind in ((65536, np.uint16), (65537, np.uint32)):
            settings = tokenizer_settings(True)
            vocabulary = settings["model"]["vocab"]
            vocabulary |= {f"word{number}": number for number in range(len(vocabulary), words)}
            tokenizer = TextTokenizer(pack_tokenizer(settings, words))
            packer = Packer(tokenizer)
            self.assertEqual(tokenizer.words, words)
            self.assertEqual(packer.arrays()["tokens"].dtype, kind)
            number = packer.segments.number([words - 1])
            self.assertEqual(int(packer.segments.arrays[number][0]), words - 1)

    def test_the_recipes_own_backbone_gives_the_tokenizer_of_the_released_pack(self):
        self.assertEqual(own_backbone().tokenizer_json, (PACKS / "umpire-2" / "tokenizer.json").read_bytes())


def read_settings_of_old(at: Path):
    """Of a checkpoint as they were before they stated their settings."""
    save_file({"word.weight": np.zeros((8, 64), np.float16)}, str(at / "old.safetensors"))
    return read_settings(at / "old.safetensors")


class Refused(WithFolder):
    def test_other_kinds_of_encoders(self):
        for change, said in (
            ({"model_type": "roberta"}, "its positions begin behind the padding: only 'bert' and 'mpnet' are read"),
            ({"model_type": "deberta-v2"}, "its positions are relative"),
            ({"model_type": "modernbert"}, "its positions are rotations"),
            ({"model_type": "distilbert"}, "it has no token types"),
            ({"model_type": "gpt2"}, "model_type in config.json is 'gpt2': only 'bert' and 'mpnet' are read."),
            ({"model_type": None}, "model_type in config.json is None"),
            ({"position_embedding_type": "relative_key"}, "Its positions are 'relative_key'"),
            ({"hidden_act": "relu"}, "Its activation is 'relu'"),
            ({"hidden_act": "gelu_new"}, "Its activation is 'gelu_new'"),
            ({"is_decoder": True}, "It is a decoder"),
            ({"num_attention_heads": 5}, "Its width, 64, is not a multiple of its 5 heads."),
            ({"max_position_embeddings": 128}, "It has 128 positions: a window of a state takes 384."),
            ({"hidden_size": "64"}, "hidden_size in config.json is not a whole number"),
            ({"layer_norm_eps": 0}, "layer_norm_eps in config.json is not a number between 0 and 1."),
        ):
            with self.subTest(said):
                folder = self.at / "encoder"
                folder.mkdir(exist_ok=True)
                (folder / "config.json").write_text(json.dumps(CONFIG | change), "utf-8")
                self.assertIn(said, self.refusal(folder))

    def test_tokenizers_that_the_engine_cannot_read(self):
        plain = tokenizer_settings(True)
        vocabulary = plain["model"]["vocab"]

        def model(**change: object) -> dict:
            return {"model": plain["model"] | change}

        for change, said in (
            ({"model": {"type": "BPE"}}, "The model in tokenizer.json is BPE: only WordPiece is read."),
            ({"model": {"type": "Unigram"}}, "The model in tokenizer.json is Unigram"),
            ({"normalizer": {"type": "NFKC"}}, "The normalizer in tokenizer.json is NFKC: only BertNormalizer is read."),
            ({"normalizer": None}, "The normalizer in tokenizer.json is nothing"),
            ({"pre_tokenizer": {"type": "Whitespace"}}, "The pre_tokenizer in tokenizer.json is Whitespace"),
            (model(vocab=vocabulary | {"more": 9000}), "tokenizer.json has a token 9000, but the embedding has only 2560 rows."),
            (model(vocab={token: number for token, number in vocabulary.items() if token != "[SEP]"}), "lacks [SEP]"),
            (model(unk_token="<unk>"), "lacks <unk>"),
            (model(continuing_subword_prefix="@@"), "begin with '@@'"),
            (model(max_input_chars_per_word=1000), "reads words of 1000 characters"),
        ):
            with self.subTest(said), self.assertRaises(BackboneRefused) as raised:
                pack_tokenizer(plain | change, 2560)
            self.assertIn(said, str(raised.exception))

    def test_files_that_are_missing_or_damaged(self):
        folder = self.folder()
        for name in ("model.safetensors", "tokenizer.json", "config.json"):
            content = (folder / name).read_bytes()
            (folder / name).write_bytes(content[:40])
            self.assertIn(name, self.refusal(folder))
            (folder / name).unlink()
            self.assertIn(f"It has no {name}", self.refusal(folder))

    def test_weights_that_are_not_as_the_configuration_promises(self):
        folder = self.folder(without="encoder.layer.1.output.dense")
        self.assertIn("has no tensor encoder.layer.1.output.dense.weight", self.refusal(folder))
        (folder / "config.json").write_text(json.dumps(CONFIG | {"intermediate_size": 100}), "utf-8")
        self.assertIn("has the shape (256, 64), but config.json promises (100, 64)", self.refusal(folder))

    def test_a_command_says_it_in_one_sentence(self):
        folder = self.folder(config=CONFIG)
        (folder / "config.json").write_text(json.dumps(CONFIG | {"model_type": "xlm-roberta"}), "utf-8")
        said = io.StringIO()
        with contextlib.redirect_stderr(said), self.assertRaises(SystemExit):
            prepare.parsed(["--data", "nowhere", "--out", "nowhere", "--backbone", str(folder)])
        line = said.getvalue().splitlines()[-1]
        self.assertIn("argument --backbone: encoder is not a backbone for the recipe. model_type in config.json is 'xlm-roberta'", line)
        self.assertNotIn(str(self.at), line)


if __name__ == "__main__":
    unittest.main()
