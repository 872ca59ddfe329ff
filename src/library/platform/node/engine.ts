import { createHash } from "node:crypto";
import { access } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { ASKED_FOR, precisionsOf } from "../../engine/devices.ts";
import type { Engine, EngineOptions } from "../../engine/engine.ts";
import { loadEngine } from "../../engine/load.ts";
import { damaged, sizeFlaw, type PackFiles } from "../../engine/pack/open-pack.ts";
import type { Runtime } from "../../engine/runtime.ts";
import { DecideError } from "../../../errors.ts";
import { sealsOfThisBuild } from "../../../version.ts";
import { NODE_DEVICES, type NodeDevice } from "../platform.ts";
import { remedyFor, manifestFlaw, UnfitFile, readRegularFile } from "./catalogue.ts";
import { runtimeOf } from "./native-binding.ts";
import type { NodeRuntimes } from "./runtimes.ts";

/**
 * The engine on Node, in a worker thread or on the caller's own: on the device that was asked for or, for `auto`, on `cpu` if it is there, else on `wasm`.
 * @param load how a pack is loaded; by default with its self-test
 * @throws {DecideError} as `loadEngine`
 */
export async function loadNodeEngine(
  files: PackFiles,
  runtimes: NodeRuntimes,
  options: EngineOptions,
  load: typeof loadEngine = loadEngine,
): Promise<Engine> {
  return load(files, async () => {
    const { device, deviceReason, runtime } = await placeFor(options, runtimes);
    const precisions = precisionsOf(device, options.precision);
    const threads = device === "wasm" ? runtimes.wasmThreadsOf(options.threads) : options.threads;
    const { cacheBytes = 0 } = options;
    return { device, deviceReason, precisions, threads, cacheBytes, runtime: runtime ?? runtimes.loadWasm(threads) };
  });
}

/** @returns no runtime for wasm, which is loaded beside the model */
async function placeFor(
  { device, deviceReason = ASKED_FOR }: EngineOptions,
  runtimes: NodeRuntimes,
): Promise<{ readonly device: NodeDevice; readonly deviceReason: string; readonly runtime?: Runtime }> {
  switch (device) {
    case "wasm":
      return { device, deviceReason };
    case "cpu":
      return { device, deviceReason, runtime: runtimeOf(await runtimes.findNative()) };
    case "auto": {
      const binding = await runtimes.findNative();
      if ("runtime" in binding) return { device: "cpu", deviceReason: "Node's fastest device", runtime: binding.runtime };
      const { reason, advice } = binding.missing;
      return { device: "wasm", deviceReason: `cpu would be faster, but ${reason}. ${advice}` };
    }
    case "webgpu":
      throw new DecideError("backend_unavailable", `Node has no such device. Use one of: auto, ${NODE_DEVICES.join(", ")}.`);
  }
}

export function packFiles(packUrl: string): PackFiles {
  const files: PackFiles = {
    place: fileURLToPath(packUrl),
    remedy: remedyFor(packUrl),
    areLocal: true,
    isOfThisBuild: (seal) => sealsOfThisBuild.includes(seal),
    read: async (name, listed) => {
      const flawOf = (sizeBytes: number): string | undefined => (listed ? sizeFlaw(sizeBytes, listed) : manifestFlaw(sizeBytes));
      try {
        return await readRegularFile(new URL(encodeURIComponent(name), packUrl), flawOf);
      } catch (cause) {
        if (cause instanceof UnfitFile) throw damaged(files, name, cause.message);
        await checkFolder(packUrl);
        throw cause;
      }
    },
    free,
    sha256: (bytes) => Promise.resolve(createHash("sha256").update(bytes).digest("hex")),
  };
  return files;
}

/** @throws {DecideError} `model_not_found` where there is no such folder. The message may be sent to clients, so it has no path. */
async function checkFolder(url: string): Promise<void> {
  try {
    await access(new URL(url));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "ENOENT" && code !== "ENOTDIR") return;
    const message = "The folder that the option model names does not exist. Give the path of a model's folder, or the id of a model.";
    throw new DecideError("model_not_found", message, { cause });
  }
}

/** Frees a buffer's memory at once: it is moved into a message, which ends with its channel. A thread that waits collects no garbage, so it would stay for long. */
export function free({ buffer }: Uint8Array<ArrayBuffer>): void {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(undefined, [buffer]);
  port1.close();
  port2.close();
}
