import { PbfWriter } from "pbf";

/** Numbers of types in onnx.proto. */
export const FLOAT = 1;
export const INT32 = 6;
export const INT64 = 7;

export interface TinyEnd {
  readonly name: string;
  readonly type: number;
  /** null: any size. */
  readonly sizes: readonly (number | null)[];
}

export interface TinyGraph {
  readonly opset?: number;
  readonly inputs?: readonly TinyEnd[];
  readonly outputs?: readonly TinyEnd[];
  readonly nodes?: readonly { readonly type: string; readonly domain?: string; readonly inputs: string[]; readonly outputs: string[] }[];
  /** Other domains of operators that it names. */
  readonly domains?: readonly string[];
  /** A weight of 4 numbers that lies in a file of its own. */
  readonly externalFile?: string;
}

const input = (name: string): TinyEnd => ({ name, type: INT64, sizes: [null, null] });
export const INPUTS: readonly TinyEnd[] = [input("input_ids"), input("attention_mask")];
export const LOGITS: TinyEnd = { name: "logits", type: FLOAT, sizes: [null, 3] };

/** An ONNX file that says what it is told to. Without nodes no runtime loads it. */
export function tinyGraph(graph: TinyGraph = {}): Uint8Array {
  const { opset = 17, domains = [] } = graph;
  const writer = new PbfWriter();
  writer.writeVarintField(1, 8);
  for (const [domain, version] of [["", opset] as const, ...domains.map((name) => [name, 1] as const)])
    writer.writeMessage(8, writeOpset, { domain, version });
  writer.writeMessage(7, writeGraph, graph);
  return writer.finish();
}

function writeOpset({ domain, version }: { domain: string; version: number }, writer: PbfWriter): void {
  writer.writeStringField(1, domain);
  writer.writeVarintField(2, version);
}

function writeGraph({ inputs = INPUTS, outputs = [LOGITS], nodes = [], externalFile }: TinyGraph, writer: PbfWriter): void {
  for (const node of nodes)
    writer.writeMessage(
      1,
      (one, inner) => {
        for (const name of one.inputs) inner.writeStringField(1, name);
        for (const name of one.outputs) inner.writeStringField(2, name);
        inner.writeStringField(4, one.type);
        inner.writeStringField(7, one.domain ?? "");
      },
      node,
    );
  writer.writeStringField(2, "tiny");
  if (externalFile !== undefined) writer.writeMessage(5, writeExternal, externalFile);
  for (const end of inputs) writer.writeMessage(11, writeEnd, end);
  for (const end of outputs) writer.writeMessage(12, writeEnd, end);
}

function writeExternal(file: string, writer: PbfWriter): void {
  writer.writePackedVarint(1, [4]);
  writer.writeVarintField(2, FLOAT);
  writer.writeStringField(8, "weight");
  writer.writeMessage(
    13,
    (value, inner) => {
      inner.writeStringField(1, "location");
      inner.writeStringField(2, value);
    },
    file,
  );
  writer.writeVarintField(14, 1);
}

function writeEnd({ name, type, sizes }: TinyEnd, writer: PbfWriter): void {
  writer.writeStringField(1, name);
  writer.writeMessage(
    2,
    (of, value) => {
      value.writeMessage(1, writeTensor, of);
    },
    { type, sizes },
  );
}

function writeTensor({ type, sizes }: { type: number; sizes: readonly (number | null)[] }, writer: PbfWriter): void {
  writer.writeVarintField(1, type);
  writer.writeMessage(
    2,
    (of, shape) => {
      for (const size of of)
        shape.writeMessage(
          1,
          (one: number | null, dim) => {
            if (one === null) dim.writeStringField(2, "n");
            else dim.writeVarintField(1, one);
          },
          size,
        );
    },
    sizes,
  );
}
