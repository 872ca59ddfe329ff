import ast
import importlib
import json
import random
import unittest
from pathlib import Path

import numpy as np

from umpire_recipe import generators
from umpire_recipe.generators.parts import text_files
from umpire_recipe.prepare import generated_twins


def is_texts(node: ast.AST) -> bool:
    """Whether a node is TEXTS[...]."""
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "TEXTS"


def strings(node: ast.AST) -> set[str]:
    return {one.value for one in ast.walk(node) if isinstance(one, ast.Constant) and isinstance(one.value, str)}


def keys_read(module: ast.Module) -> set[str]:
    """The keys of all TEXTS[...] in a module: one string, one of two (`"a" if x else "b"`), or what a generator expression loops over."""
    read = set()
    for node in ast.walk(module):
        if is_texts(node):
            key = node.slice
            read |= strings(key.body) | strings(key.orelse) if isinstance(key, ast.IfExp) else strings(key)
        elif isinstance(node, ast.GeneratorExp) and any(is_texts(one) and isinstance(one.slice, ast.Name) for one in ast.walk(node.elt)):
            read |= strings(node.generators[0].iter)
    return read


def loaded(module: ast.Module) -> list[str]:
    """The names that a module passes to load_texts."""
    calls = [node for node in ast.walk(module) if isinstance(node, ast.Call) and getattr(node.func, "id", None) == "load_texts"]
    return [name for call in calls for name in strings(call)]


class Generators(unittest.TestCase):
    def test_there_are_at_least_thirty(self):
        self.assertGreaterEqual(len(generated_twins.generator_names()), 30)

    def test_every_generator_flips_and_is_balanced(self):
        for name in generated_twins.generator_names():
            with self.subTest(name):
                chance, twin = random.Random(7), importlib.import_module(f"umpire_recipe.generators.{name}").twin
                yes, states = [], set()
                for _ in range(300):
                    drawn = twin(chance)
                    self.assertNotEqual(*drawn.states)
                    states |= {str(state) for state in drawn.states}
                    self.assertTrue(
                        any(a != b for a, b in (question.answers for question in drawn.questions)), "the two states have the same answers"
                    )
                    for question in drawn.questions:
                        self.assertTrue(question.instructions.strip())
                        for answer in question.answers:
                            if question.type == "noul":
                                yes.append(answer)
                            elif question.type == "choice":
                                self.assertIn(answer, question.criteria)
                            else:
                                self.assertIn(answer, range(len(question.criteria)))
                self.assertGreater(len(states), 540)
                if yes:
                    self.assertAlmostEqual(np.mean(yes), 0.5, delta=0.06)

    def test_question_words_do_not_tell_the_answer(self):
        """Most yes/no questions have opposite answers in the two states, so their wording cannot give the answer away."""
        for name in generated_twins.generator_names():
            chance, twin = random.Random(11), importlib.import_module(f"umpire_recipe.generators.{name}").twin
            flips = [
                a != b for _ in range(200) for question in twin(chance).questions if question.type == "noul" for a, b in [question.answers]
            ]
            if flips:
                self.assertGreater(np.mean(flips), 0.6, name)


class Texts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = Path(generators.__file__).parent
        paths = [*folder.glob("*.py"), *folder.glob("parts/*.py")]
        cls.modules = {path.stem: ast.parse(path.read_text("utf-8")) for path in paths if path.stem != "__init__"}
        cls.files = {path.stem: json.loads(path.read_text("utf-8")) for path in text_files.FOLDER.iterdir()}

    def test_each_file_belongs_to_the_module_of_its_name(self):
        names = {name: loaded(module) for name, module in self.modules.items() if loaded(module)}
        self.assertEqual(names, {name: [name] for name in self.files})

    def test_a_module_reads_all_of_its_texts(self):
        for name, texts in self.files.items():
            with self.subTest(name):
                self.assertEqual(keys_read(self.modules[name]), set(texts))


if __name__ == "__main__":
    unittest.main()
