import unittest

from umpire_recipe.backbone.folder import own_backbone
from umpire_recipe.reading.request_text import number_text, option_text, reading_of, text_of
from umpire_recipe.reading.tokenizer import TextTokenizer


class Text(unittest.TestCase):
    def test_structured_values_become_lines(self):
        value = {"order": {"items": [{"sku": "mug"}, "tea"], "paid": True}, "note": None, "2": "two", "10": [], "01": {}}
        self.assertEqual(text_of(value), "2: two\n10: \norder: items: - sku: mug\n- tea\npaid: true\nnote: null\n01: ")

    def test_numbers_are_written_as_json_writes_them(self):
        written = {
            3.0: "3",
            -0.0: "0",
            1e-7: "1e-7",
            1e-6: "0.000001",
            1.5e-9: "1.5e-9",
            1e21: "1e+21",
            1e20: "100000000000000000000",
            12.50: "12.5",
            -0.25: "-0.25",
        }
        for value, text in written.items():
            self.assertEqual(number_text(value), text)
        self.assertEqual(number_text(9007199254740993), "9007199254740992")

    def test_an_opaque_key_is_not_read(self):
        self.assertEqual(option_text("a", "first"), "first")
        self.assertEqual(option_text("option_30", "thirty"), "thirty")
        self.assertEqual(option_text("option_400", "longer"), "option 400: longer")
        self.assertEqual(option_text("tea", "a drink"), "tea: a drink")
        self.assertEqual(option_text("\u0663rd", "Arabic digit"), "Arabic digit")
        self.assertEqual(option_text("\U0001f697\U0001f50b", "two code points"), "two code points")
        for nothing in (None, "", {}, []):
            self.assertEqual(option_text("ask_me", nothing), "ask me")

    def test_yes_comes_before_no(self):
        self.assertEqual(reading_of({"type": "noul", "criteria": {"false": "shut", "true": ""}}).options, ["yes", "no: shut"])
        self.assertEqual(reading_of({"type": "noul", "instructions": None}).instructions, "")

    def test_a_level_without_text_is_its_number(self):
        self.assertEqual(reading_of({"type": "score", "instructions": "?", "criteria": [None, "one", {}]}).options, ["0", "one", "2"])


class Tokens(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tokenizer = TextTokenizer(own_backbone().tokenizer_json)

    def test_no_text_becomes_a_special_token(self):
        ids = self.tokenizer.ids("[CLS] a [SEP] b [PAD] c [MASK]")
        self.assertFalse({0, 101, 102, 103} & set(ids))

    def test_half_a_surrogate_pair_is_no_character(self):
        self.assertEqual(self.tokenizer.ids("a \ud83d b\udc00"), self.tokenizer.ids("a \ufffd b\ufffd"))
        self.assertEqual(self.tokenizer.ids("a \ud83d b\udc00"), self.tokenizer.ids("a b"))

    def test_a_final_sigma_is_an_ordinary_one(self):
        self.assertEqual(self.tokenizer.ids("ΣΟΦΟΣ"), self.tokenizer.ids("σοφοσ"))

    def test_ideographs_beyond_the_basic_plane_stand_alone(self):
        unknown = self.tokenizer.ids("㐀")
        self.assertEqual(self.tokenizer.ids("a𠮷b"), [*self.tokenizer.ids("a"), *unknown, *self.tokenizer.ids("b")])

    def test_long_texts_are_not_cut(self):
        self.assertEqual(len(self.tokenizer.ids("word " * 3000)), 3000)


if __name__ == "__main__":
    unittest.main()
