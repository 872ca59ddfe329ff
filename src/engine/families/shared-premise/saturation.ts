import { DecideError } from "../../../errors.ts";
import { DEVICES } from "../../devices.ts";
import type { Device } from "../../engine.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import type { Runtime } from "../../runtime.ts";
import { createSession } from "../../session.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

const ROWS = 8;
const DEPTH = 64;
/** The exact sum of the largest products. */
const EXACT = DEPTH * 255 * 127;

/**
 * Whether the device's product of uint8 and int8 saturates in 16 bits, as on x86 without VNNI: there the int8 graph would be silently wrong. The pack's
 * probe multiplies the largest values there are.
 */
export async function productsSaturate(pack: ModelPack<SharedPremiseManifest>, runtime: Runtime, device: Device): Promise<boolean> {
  if (!DEVICES[device].mayProductsSaturate) return false;
  const { probe } = pack.manifest.graphs;
  const session = await createSession(runtime, { file: probe, bytes: pack.read(probe) }, { device, precision: "int8", threads: 1 });
  try {
    const a = new runtime.Tensor("uint8", new Uint8Array(ROWS * DEPTH).fill(255), [ROWS, DEPTH]);
    const { y } = await session.run({ a }, ["y"]);
    const sums = y?.data;
    if (!(sums instanceof Int32Array))
      throw new DecideError("model_invalid", `The graph ${probe} does not give the sums that it should: install the pack again.`);
    return sums.some((sum) => sum !== EXACT);
  } finally {
    await session.release();
  }
}
