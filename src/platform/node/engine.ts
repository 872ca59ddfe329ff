import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { DEVICES } from "../../engine/devices.ts";
import { NODE_DEVICES } from "./device-names.ts";
import { DecideError } from "../../errors.ts";
import { loadEngine } from "../../engine/load.ts";
import type { Engine, EngineOptions } from "../../engine/engine.ts";
import type { PackFiles } from "../../engine/pack/open-pack.ts";
import type { Runtime } from "../../engine/runtime.ts";

/** The engine on Node, in a worker thread or on the caller's own. @throws {DecideError} as `loadEngine` */
export function loadNodeEngine(files: PackFiles, runtime: Runtime, options: EngineOptions): Promise<Engine> {
  const { threads, deviceReason = "Node runs models on the processor" } = options;
  const device = options.device === "auto" ? NODE_DEVICES[0] : options.device;
  return loadEngine(files, runtime, { device, deviceReason, precision: options.precision ?? DEVICES[device].precisions[0], threads });
}

export function packFiles(packUrl: string): PackFiles {
  return {
    place: fileURLToPath(packUrl),
    areLocal: true,
    read: async (name) => new Uint8Array(await readFile(new URL(encodeURIComponent(name), packUrl))),
    sha256: (bytes) => Promise.resolve(createHash("sha256").update(bytes).digest("hex")),
  };
}

/** @throws {DecideError} `backend_unavailable` when onnxruntime-node's native binding cannot be loaded */
export async function loadRuntime(): Promise<Runtime> {
  try {
    return await import("onnxruntime-node");
  } catch (cause) {
    const here = `${process.platform}-${process.arch}`;
    const message = `The native binding of onnxruntime-node cannot be loaded on ${here}. Install umpire again on this machine, without --omit=optional and without copying node_modules from another machine. Linux needs glibc 2.28 or newer; Alpine's musl is not supported. The error's cause says more.`;
    throw new DecideError("backend_unavailable", message, { cause });
  }
}
