// The machine's peak: the fastest of many large products, whose sizes suit every kernel.
import { min } from "simple-statistics";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { sessionOptions } from "./floor.mjs";
import { weights } from "./graph.mjs";
import { onnxModel } from "./onnx-model.mjs";
import { timed } from "../turns.mjs";

const SIZE = 1024;
const CALLS = 25;

/** @param {{ precision: "int8" | "fp32", threads: number }} options @returns {Promise<number>} multiplications a second, in thousand millions (GMAC/s) */
export async function peakOf({ precision, threads }) {
  const kind = precision === "int8" ? "MatMulInteger" : "MatMul";
  const type = precision === "int8" ? "uint8" : "float32";
  const model = onnxModel({
    // The result of the large product stays where it is. A small one is fetched.
    nodes: ["large", "small"].map((name) => ({ kind, inputs: [name, "weights"], output: `${name}_product` })),
    inputs: ["large", "small"].map((name) => ({ name, type, sizes: [`${name}_rows`, SIZE] })),
    outputs: ["large_product", "small_product"],
    constants: [weights("weights", SIZE, SIZE, precision)],
  });
  const session = await InferenceSession.create(model, sessionOptions(threads));
  const filled = (rows) => {
    const data = type === "uint8" ? new Uint8Array(rows * SIZE).fill(100) : new Float32Array(rows * SIZE).fill(0.5);
    return new Tensor(type, data, [rows, SIZE]);
  };
  const feeds = { large: filled(SIZE), small: filled(1) };
  const times = [];
  for (let call = 0; call < CALLS; call++) times.push(await timed(() => session.run(feeds, ["small_product"])));
  await session.release();
  return SIZE ** 3 / 1e6 / min(times);
}
