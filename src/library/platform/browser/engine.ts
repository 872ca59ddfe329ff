import type { OnProgress } from "../../engine/progress.ts";
import type { Engine, EngineOptions } from "../../engine/engine.ts";
import { loadEngine } from "../../engine/load.ts";
import { ASKED_FOR } from "../../engine/devices.ts";
import { DecideError } from "../../../errors.ts";
import { BROWSER_DEVICES } from "./device-names.ts";
import type { BrowserDevice } from "./device-names.ts";
import { traitsOf } from "./devices/devices.ts";
import { loadFastest } from "./devices/fastest.ts";
import type { LoadOn } from "./devices/traits.ts";
import { withInfo } from "./devices/with-info.ts";
import { FileCache } from "./files/file-cache.ts";
import { packFiles } from "./files/pack-files.ts";
import { RemoteFiles } from "./files/remote-files.ts";
import { loadRuntime } from "./runtime/load-runtime.ts";

/**
 * The worker's engine in a browser: on the device that was asked for or, for `auto`, on the one that is faster here.
 * @throws {DecideError} `backend_unavailable`, `model_invalid`
 */
export async function loadBrowserEngine(packUrl: string, options: EngineOptions, onProgress: OnProgress | undefined): Promise<Engine> {
  checkSecureContext();
  const files = new RemoteFiles(await FileCache.open(), onProgress);
  const loadOn: LoadOn = async (device, deviceReason) => {
    const traits = await traitsOf(device);
    const threads = traits.threadsOf(options.threads);
    // Refuses what the device does not have before anything is fetched for it.
    const precisions = await traits.precisionsOf(options.precision);
    const runtime = loadRuntime(device, traits.runtimeOf, threads, files);
    const { cacheBytes = 0 } = options;
    return loadEngine(packFiles(packUrl, files), () => Promise.resolve({ device, deviceReason, precisions, threads, cacheBytes, runtime }));
  };
  const engine =
    options.device === "auto"
      ? await loadFastest(options.precision, loadOn)
      : await loadOn(browserDevice(options.device), options.deviceReason ?? ASKED_FOR);
  await files.keep();
  return withInfo(engine, { download: files.download });
}

function checkSecureContext(): void {
  if (isSecureContext) return;
  const message =
    "The page was served over plain http, where browsers offer neither SHA-256 nor WebGPU. Serve it over https, or from localhost.";
  throw new DecideError("backend_unavailable", message);
}

function browserDevice(asked: string): BrowserDevice {
  const device = BROWSER_DEVICES.find((device) => device === asked);
  if (device !== undefined) return device;
  throw new DecideError("backend_unavailable", `A browser has no such device. Use one of: auto, ${BROWSER_DEVICES.join(", ")}.`);
}
