"""Makes a model with random weights of the shape of gliclass-small-v1.0, as fp32 and int8, in hub layout.

npm run bench:models reads it.

    python bench/models/make_gliclass_shape.py /tmp/shapes --data ../shared/data

It takes the packages of test/fixtures/make-gliclass/requirements.txt.
"""

import argparse
import sys
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from transformers import PreTrainedTokenizerFast

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parents[1] / "test/fixtures/make-gliclass"))
from make_gliclass_models import Package, deberta, export, model_of, with_markers, write  # noqa: E402
from shapes import VOCABULARY  # noqa: E402
from shapes import deberta as deberta_sizes  # noqa: E402
from train_tokenizers import deberta_unigram_without_charsmap, texts_of  # noqa: E402

# The options of transformers.js' conversion script, as test/fixtures/make has them.
INT8 = {"weight_type": QuantType.QInt8, "extra_options": {"EnableSubgraph": True, "MatMulConstBOnly": True}}
SPECIALS = {f"{part}_token": f"[{part.upper()}]" for part in ("cls", "sep", "pad", "unk", "mask")}


def main(folder: Path, data: Path) -> None:
    texts = [text for text in texts_of(data) if text.isascii()]
    tokenizer = with_markers(deberta_unigram_without_charsmap(texts, VOCABULARY), special=True)
    encoder = deberta(tokenizer)
    encoder.update(deberta_sizes(6, 768, 12) | {"initializer_range": 0.02})
    model = model_of(encoder, tokenizer, "microsoft/deberta-v3-small", prompt_first=True)
    with torch.no_grad():  # the tests' weights are for widths of 8: here they would make logits of six digits
        for weights in model.parameters():
            weights.copy_(torch.randn_like(weights) * 0.02 if weights.dim() > 1 else weights)
    package = Package(model, PreTrainedTokenizerFast(tokenizer_object=tokenizer, **SPECIALS))
    plain = folder / "onnx/model.onnx"
    export(model, torch.tensor(package.rows("An example of a text.", ["a label", "another", "a third"], "")), plain)
    quantize_dynamic(plain, plain.with_name("model_quantized.onnx"), **INT8)
    tokenizer.save(str(folder / "tokenizer.json"))
    write(folder / "tokenizer_config.json", {"tokenizer_class": "PreTrainedTokenizerFast", **SPECIALS})
    write(folder / "config.json", {**model.config.to_dict(), "architectures": ["GLiClassModel"]})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--data", type=Path, required=True, help="the data folder")
    arguments = parser.parse_args()
    main(arguments.out / "gliclass-small", arguments.data)
