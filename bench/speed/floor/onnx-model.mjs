// Writes small ONNX models. The numbers are the tags of onnx.proto.
import { PbfWriter } from "pbf";

const IR_VERSION = 9;
const OPSET = 18;
const ELEMENT_TYPES = { float32: 1, uint8: 2, int8: 3 };

/**
 * @typedef {keyof typeof ELEMENT_TYPES} ElementType
 * @typedef {{ name: string, type: ElementType, sizes: readonly (number | string)[] }} Value a size that is a name is told by each run
 * @typedef {{ kind: string, inputs: readonly string[], output: string }} Node
 * @typedef {{ name: string, type: ElementType, sizes: readonly number[], bytes: Uint8Array }} Constant
 */

/**
 * @param {{ nodes: readonly Node[], inputs: readonly Value[], outputs: readonly string[], constants: readonly Constant[] }} graph
 * @returns {Uint8Array} the model
 */
export function onnxModel(graph) {
  const model = new PbfWriter();
  model.writeVarintField(1, IR_VERSION);
  model.writeMessage(7, writeGraph, graph);
  model.writeMessage(8, writeOpset, OPSET);
  return model.finish();
}

function writeOpset(version, message) {
  message.writeStringField(1, "");
  message.writeVarintField(2, version);
}

function writeGraph({ nodes, inputs, outputs, constants }, message) {
  for (const node of nodes) message.writeMessage(1, writeNode, node);
  message.writeStringField(2, "products");
  for (const constant of constants) message.writeMessage(5, writeConstant, constant);
  for (const input of inputs) message.writeMessage(11, writeValue, input);
  for (const name of outputs) message.writeMessage(12, (output, value) => value.writeStringField(1, output), name);
}

function writeNode({ kind, inputs, output }, message) {
  for (const input of inputs) message.writeStringField(1, input);
  message.writeStringField(2, output);
  message.writeStringField(3, output);
  message.writeStringField(4, kind);
}

function writeConstant({ name, type, sizes, bytes }, message) {
  for (const size of sizes) message.writeVarintField(1, size);
  message.writeVarintField(2, ELEMENT_TYPES[type]);
  message.writeStringField(8, name);
  message.writeBytesField(9, bytes);
}

function writeValue({ name, type, sizes }, message) {
  message.writeStringField(1, name);
  message.writeMessage(2, (tensor, value) => value.writeMessage(1, writeTensorType, tensor), { type, sizes });
}

function writeTensorType({ type, sizes }, message) {
  message.writeVarintField(1, ELEMENT_TYPES[type]);
  message.writeMessage(2, (all, shape) => all.forEach((size) => shape.writeMessage(1, writeSize, size)), sizes);
}

function writeSize(size, message) {
  if (typeof size === "number") message.writeVarintField(1, size);
  else message.writeStringField(2, size);
}
