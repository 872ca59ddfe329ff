/** A graph that never ends, made of any other one. Written by hand, because there is no ONNX library for Node. */

const TYPES = { bool: 9, int64: 7 } as const;
const GRAPH_ATTRIBUTE = 5;

/** Fields of a protobuf message: https://protobuf.dev/programming-guides/encoding/ */
function varint(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))];
}
function field(number: number, content: string | readonly number[]): number[] {
  const bytes = typeof content === "string" ? [...Buffer.from(content)] : content;
  return [...varint(number * 8 + 2), ...varint(bytes.length), ...bytes];
}
function numberField(number: number, value: number): number[] {
  return [...varint(number * 8), ...varint(value)];
}

/** A scalar: ValueInfoProto. */
function scalar(name: string, type: keyof typeof TYPES): number[] {
  return [...field(1, name), ...field(2, field(1, [...numberField(1, TYPES[type]), ...field(2, [])]))];
}

function identity(from: string, to: string): number[] {
  return field(1, [...field(1, from), ...field(2, to), ...field(4, "Identity")]);
}

/** The graph and, beside it, a loop without a count or a condition. Messages that are written one after the other are merged. */
export function endless(graph: Uint8Array): Uint8Array {
  const body = [
    ...identity("goes_on", "goes_on_again"),
    ...identity("n", "next_n"),
    ...field(2, "body"),
    ...field(11, scalar("i", "int64")),
    ...field(11, scalar("goes_on", "bool")),
    ...field(11, scalar("n", "int64")),
    ...field(12, scalar("goes_on_again", "bool")),
    ...field(12, scalar("next_n", "int64")),
  ];
  const attribute = [...field(1, "body"), ...field(6, body), ...numberField(20, GRAPH_ATTRIBUTE)];
  const loop = [
    ...field(1, ""),
    ...field(1, ""),
    ...field(1, "first_n"),
    ...field(2, "last_n"),
    ...field(4, "Loop"),
    ...field(5, attribute),
  ];
  const firstN = [...numberField(2, TYPES.int64), ...field(7, [0]), ...field(8, "first_n")];
  const more = [...field(1, loop), ...field(5, firstN), ...field(12, scalar("last_n", "int64"))];
  return Buffer.concat([graph, Buffer.from(field(7, more))]);
}
