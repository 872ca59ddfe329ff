"""Makes models with random weights of the shapes that published pair models have, as fp32 and int8, in hub layout.

npm run bench:models reads them.

    python bench/models/make_shapes.py /tmp/shapes --data ../shared/data [name ...]

It takes the packages of test/fixtures/make/requirements.txt, 4 GB of disk and 10 GB of memory. Models that are there are kept.
"""

import argparse
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "test/fixtures/make"))
from pair_models.architectures import ARCHITECTURES
from pair_models.folder import make_model, write_config, write_tokenizer
from pair_models.graphs import write_graphs
from pair_models.vocabularies import SETTINGS, english, texts_of
from shapes import SHAPES, VOCABULARY, Shape

ARCHITECTURE_OF = {architecture.name: architecture for architecture in ARCHITECTURES}


def make(folder: Path, shape: Shape, texts: list[str]) -> None:
    tiny = ARCHITECTURE_OF[shape.architecture]
    architecture = replace(tiny, sizes=tiny.sizes | shape.sizes, int8=True, fp16=False, external_data=False)
    tokenizer = tiny.tokenizer(
        tokenizer_object=shape.train(texts, VOCABULARY), model_max_length=shape.positions, **SETTINGS.get(tiny.name, {})
    )
    model = make_model(architecture, tokenizer)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as temporary:
        unfinished = Path(temporary) / shape.name
        unfinished.mkdir()
        write_tokenizer(unfinished, tokenizer)
        write_config(unfinished, model, architecture)
        write_graphs(model, architecture, unfinished / "onnx")
        unfinished.rename(folder)
    sizes = ", ".join(f"{file.name} {file.stat().st_size / 1e6:.0f} MB" for file in sorted((folder / "onnx").iterdir()))
    print(f"{shape.name}: {sum(weight.numel() for weight in model.parameters()) / 1e6:.0f} million weights, {sizes}", flush=True)


def main(out: Path, data: Path, names: list[str]) -> None:
    texts = english(texts_of(data))
    for shape in SHAPES:
        folder = out / shape.name
        if not folder.exists() and (not names or shape.name in names):
            make(folder, shape, texts)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("names", nargs="*", help="of shapes (default: all)")
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    arguments = parser.parse_args()
    main(arguments.out, arguments.data, arguments.names)
