import { PbfReader } from "pbf";
import { ToolError } from "../../tool-error.ts";

/** Types of tensors by their number in onnx.proto. Those that no model of ours has are left out. */
const TENSOR_TYPES: { readonly [number: number]: TensorType } = {
  1: "float32",
  2: "uint8",
  3: "int8",
  6: "int32",
  7: "int64",
  10: "float16",
  11: "float64",
  16: "bfloat16",
  21: "uint4",
  22: "int4",
};

type TensorType = "float32" | "uint8" | "int8" | "int32" | "int64" | "float16" | "float64" | "bfloat16" | "uint4" | "int4";

export interface GraphEnd {
  readonly name: string;
  /** undefined for what is no tensor, or of a type that is not known here. */
  readonly type: TensorType | undefined;
  /** Sizes, where the graph states them; undefined entries are free. Absent if it states no shape. */
  readonly sizes?: readonly (number | undefined)[];
}

/** An ONNX file's graph, without its numbers. */
export interface GraphFacts {
  /** Version of the standard operators; 0 if it states none. */
  readonly opset: number;
  /** Without its weights, which older files list, too. */
  readonly inputs: readonly GraphEnd[];
  readonly outputs: readonly GraphEnd[];
  /** As `MatMul`, or with their domain as `com.microsoft:MatMulNBits`. Those of inner graphs and functions, too. */
  readonly operators: ReadonlySet<string>;
  /** How many numbers the weights have, by their type. */
  readonly weights: ReadonlyMap<TensorType, number>;
  /** Files with weights, as the graph names them: relative to its folder. */
  readonly externalFiles: readonly string[];
}

class Gathered {
  opset = 0;
  hasGraph = false;
  readonly inputs: GraphEnd[] = [];
  readonly outputs: GraphEnd[] = [];
  readonly initializers = new Set<string>();
  readonly operators = new Set<string>();
  readonly weights = new Map<TensorType, number>();
  readonly externalFiles = new Set<string>();
}

/** Reads an ONNX file without its numbers: nothing of the buffer is copied but names. @param path for messages @throws {ToolError} */
export function graphFacts(bytes: Uint8Array, path: string): GraphFacts {
  const unreadable = (why: string, cause?: unknown): ToolError =>
    new ToolError(`${path} cannot be read: ${why}. Download it again.`, { cause });
  const found = new Gathered();
  const reader = new PbfReader(bytes);
  try {
    reader.readFields(readModel, found);
  } catch (cause) {
    throw unreadable("it is no ONNX file, or not a whole one", cause);
  }
  if (reader.pos !== bytes.byteLength) throw unreadable("it is not whole");
  if (!found.hasGraph) throw unreadable("it is no ONNX file");
  const { opset, inputs, outputs, initializers, operators, weights, externalFiles } = found;
  const isGiven = ({ name }: GraphEnd): boolean => !initializers.has(name);
  return { opset, inputs: inputs.filter(isGiven), outputs, operators, weights, externalFiles: [...externalFiles] };
}

// The numbers of the fields are those of onnx.proto, by message.

type Read<T> = (tag: number, found: T, reader: PbfReader) => void;

const readModel: Read<Gathered> = (tag, found, reader) => {
  if (tag === 7) {
    found.hasGraph = true;
    reader.readMessage(readGraph, found);
  } else if (tag === 8) readOpset(found, reader);
  // The body of a function.
  else if (tag === 25) reader.readMessage(readFunction, found);
};

const readFunction: Read<Gathered> = (tag, found, reader) => {
  if (tag === 7) readNode(found, reader);
};

function readOpset(found: Gathered, reader: PbfReader): void {
  const { domain, version } = reader.readMessage(
    (tag, opset, inner) => {
      if (tag === 1) opset.domain = inner.readString();
      else if (tag === 2) opset.version = inner.readVarint();
    },
    { domain: "", version: 0 },
  );
  if (isStandard(domain)) found.opset = version;
}

const readGraph: Read<Gathered> = (tag, found, reader) => {
  if (tag === 1) readNode(found, reader);
  else if (tag === 5) found.initializers.add(readTensor(found, reader));
  else if (tag === 11) found.inputs.push(readEnd(reader));
  else if (tag === 12) found.outputs.push(readEnd(reader));
};

function readNode(found: Gathered, reader: PbfReader): void {
  const { domain, type } = reader.readMessage(
    (tag, node, inner) => {
      if (tag === 4) node.type = inner.readString();
      else if (tag === 7) node.domain = inner.readString();
      else if (tag === 5) inner.readMessage(readAttribute, found);
    },
    { domain: "", type: "" },
  );
  found.operators.add(isStandard(domain) ? type : `${domain}:${type}`);
}

/** Attributes may hold tensors (constants) and whole graphs (branches, loops), whose inputs and outputs are no others' concern. */
const readAttribute: Read<Gathered> = (tag, found, reader) => {
  if (tag === 5 || tag === 10) readTensor(found, reader);
  else if (tag === 6 || tag === 11) {
    const { operators, weights, externalFiles } = found;
    reader.readMessage(readGraph, Object.assign(new Gathered(), { operators, weights, externalFiles }));
  }
};

function readTensor(found: Gathered, reader: PbfReader): string {
  const { name, type, count, location } = reader.readMessage<Tensor>(readTensorField, { name: "", type: 0, count: 1, location: undefined });
  const known = TENSOR_TYPES[type];
  if (known !== undefined) found.weights.set(known, (found.weights.get(known) ?? 0) + count);
  if (location !== undefined) found.externalFiles.add(location);
  return name;
}

interface Tensor {
  name: string;
  type: number;
  count: number;
  location: string | undefined;
}

const readTensorField: Read<Tensor> = (tag, tensor, reader) => {
  if (tag === 1) for (const size of reader.type === PACKED ? reader.readPackedVarint() : [reader.readVarint()]) tensor.count *= size;
  else if (tag === 2) tensor.type = reader.readVarint();
  else if (tag === 8) tensor.name = reader.readString();
  else if (tag === 13) {
    const { key, value } = reader.readMessage(readPair, { key: "", value: "" });
    if (key === "location") tensor.location = value;
  }
};

/** The wire type of what has a length: texts, messages, and numbers that lie in one piece. */
const PACKED = 2;

const readPair: Read<{ key: string; value: string }> = (tag, pair, reader) => {
  if (tag === 1) pair.key = reader.readString();
  else if (tag === 2) pair.value = reader.readString();
};

type End = { -readonly [Field in keyof GraphEnd]: GraphEnd[Field] };

function readEnd(reader: PbfReader): GraphEnd {
  return reader.readMessage<End>(
    (tag, end, inner) => {
      if (tag === 1) end.name = inner.readString();
      else if (tag === 2) inner.readMessage(readType, end);
    },
    { name: "", type: undefined },
  );
}

/** Tensors are the first kind of types. */
const readType: Read<End> = (tag, end, reader) => {
  if (tag === 1) reader.readMessage(readTensorType, end);
};

const readTensorType: Read<End> = (tag, end, reader) => {
  if (tag === 1) end.type = TENSOR_TYPES[reader.readVarint()];
  else if (tag === 2) end.sizes = reader.readMessage(readShape, []);
};

const readShape: Read<(number | undefined)[]> = (tag, sizes, reader) => {
  if (tag !== 1) return;
  const size: { value?: number } = reader.readMessage<{ value?: number }>((field, of, inner) => {
    if (field === 1) of.value = inner.readVarint();
  }, {});
  sizes.push(size.value);
};

function isStandard(domain: string): boolean {
  return domain === "" || domain === "ai.onnx";
}
