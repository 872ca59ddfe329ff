// A graph of a network's matrix products alone: no sums, no norms, no softmax, nothing between them.
import { randomFillSync } from "node:crypto";
import { onnxModel } from "./onnx-model.mjs";

/**
 * @typedef {{ layers: number, heads: number, headSize: number, width: number, inner: number }} Shape
 * @typedef {"int8" | "fp32"} Precision of the products with weights. Those of attention are always fp32.
 */

/** In every published encoder of BERT's kind the inner layer is so many times as wide. */
const INNER = 4;

/** @param {{ layers: number, heads: number, headSize: number }} network of a manifest @returns {Shape} */
export function shapeOf({ layers, heads, headSize }) {
  const width = heads * headSize;
  return { layers, heads, headSize, width, inner: INNER * width };
}

/** The graph's inputs. Sizes that are names are those of a run; `blocks` are heads times options. @param {Shape} shape @param {Precision} precision */
export function floorInputs({ heads, headSize, width, inner }, precision) {
  const activation = precision === "int8" ? "uint8" : "float32";
  const rows = (name, ...sizes) => ({ name, type: activation, sizes });
  const float = (name, ...sizes) => ({ name, type: "float32", sizes });
  return [
    rows("hidden", "rows", width),
    rows("inner", "rows", inner),
    float("queries", heads, "rows", headSize),
    float("keys", heads, headSize, "seen"),
    float("shares", heads, "rows", "seen"),
    float("values", heads, "seen", headSize),
    float("own_queries", "blocks", "option_tokens", headSize),
    float("own_keys", "blocks", headSize, "option_tokens"),
    float("own_shares", "blocks", "option_tokens", "option_tokens"),
    float("own_values", "blocks", "option_tokens", headSize),
    // In the last layer only the first tokens of options are of use.
    rows("first_hidden", "options", width),
    rows("first_inner", "options", inner),
    float("first_queries", heads, "options", headSize),
    float("first_shares", heads, "options", "seen"),
    float("first_own_queries", "blocks", 1, headSize),
    float("first_own_shares", "blocks", 1, "option_tokens"),
  ];
}

/**
 * Every product is an output, so that none is left out. Weights are random and differ from layer to layer, as they must come from memory.
 * @param {Shape} shape
 * @param {Precision} precision
 */
export function floorGraph(shape, precision) {
  const { layers, width, inner } = shape;
  const [nodes, constants] = [[], []];
  const product = (kind, left, right) => nodes.push({ kind, inputs: [left, right], output: `product_${nodes.length}` });
  const read = (left, right) => product("MatMul", left, right);
  const linear = (input, from, to) => {
    constants.push(weights(`weights_${constants.length}`, from, to, precision));
    product(precision === "int8" ? "MatMulInteger" : "MatMul", input, constants.at(-1).name);
  };
  const dense = (start) => {
    linear(`${start}hidden`, width, width);
    linear(`${start}hidden`, width, inner);
    linear(`${start}inner`, inner, width);
  };
  for (let layer = 0; layer < layers - 1; layer++) {
    linear("hidden", width, 3 * width);
    read("queries", "keys");
    read("shares", "values");
    read("own_queries", "own_keys");
    read("own_shares", "own_values");
    dense("");
  }
  linear("hidden", width, 2 * width);
  linear("first_hidden", width, width);
  read("first_queries", "keys");
  read("first_shares", "values");
  read("first_own_queries", "own_keys");
  read("first_own_shares", "own_values");
  dense("first_");
  linear("first_hidden", width, width);
  return { nodes, inputs: floorInputs(shape, precision), outputs: nodes.map(({ output }) => output), constants };
}

/** @param {Shape} shape @param {Precision} precision @returns {Uint8Array} an ONNX model */
export function floorModel(shape, precision) {
  return onnxModel(floorGraph(shape, precision));
}

export function weights(name, from, to, precision) {
  const bytes = randomFillSync(new Uint8Array(from * to * (precision === "int8" ? 1 : 4)));
  // Random bits would make numbers of any size, and slow ones among them.
  if (precision === "fp32") new Float32Array(bytes.buffer).forEach((_, i, all) => (all[i] = (bytes[4 * i] - 128) / 1024));
  return { name, type: precision === "int8" ? "int8" : "float32", sizes: [from, to], bytes };
}
