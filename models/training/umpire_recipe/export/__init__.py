"""Turns a checkpoint into a pack: int8 weights, ONNX graphs, tokenizer, model card and the manifest that seals them."""
