import { DecideError } from "../../../errors.ts";
import type { Graph, Runtime } from "../../engine/runtime.ts";
import { createSession } from "../../engine/session.ts";

const ROWS = 8;
const DEPTH = 64;
/** The exact sum of the largest products. */
const EXACT = DEPTH * 255 * 127;

/** onnxruntime-node, which can tell whether the processor's products saturate. */
export function withProbe(runtime: Runtime): Runtime {
  const { InferenceSession, Tensor } = runtime;
  return { InferenceSession, Tensor, productsSaturate: (probe) => productsSaturate(probe, runtime) };
}

/** @param probe multiplies the largest values there are */
async function productsSaturate(probe: Graph, runtime: Runtime): Promise<boolean> {
  const session = await createSession(runtime, probe, { device: "cpu", precision: "int8", threads: 1 });
  try {
    const a = new runtime.Tensor("uint8", new Uint8Array(ROWS * DEPTH).fill(255), [ROWS, DEPTH]);
    const { y } = await session.run({ a }, ["y"]);
    const sums = y?.data;
    if (!(sums instanceof Int32Array))
      throw new DecideError("model_invalid", `The graph ${probe.file} does not give the sums that it should: install the pack again.`);
    return sums.some((sum) => sum !== EXACT);
  } finally {
    await session.release();
  }
}
