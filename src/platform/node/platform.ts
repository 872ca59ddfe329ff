import { readdir, readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { DecideError } from "../../errors.ts";
import type { WorkerThread } from "../../worker/worker-thread.ts";
import { NativeGate } from "./native-gate.ts";
import { switchOffTelemetry } from "./no-telemetry.ts";
import type { CataloguedPack, Platform } from "../platform.ts";
import { usefulThreads } from "../threads.ts";

/** `dist`: the folder of the built package, which holds worker and models. */
export function nodePlatform(dist: URL): Platform {
  return {
    devices: ["cpu"],
    defaultThreads: usefulThreads(availableParallelism()),
    catalogue: () => readCatalogue(new URL("umpire/models/", dist)),
    placeOf,
    startWorker: () => startWorker(new URL("worker.node.js", dist)),
    // Imported only here, so that the caller's thread does not carry tokenizer and runtime when a worker does the work.
    loadInline: async (packUrl, options) => {
      const { loadNodeEngine, loadRuntime, packFiles } = await import("./files.ts");
      switchOffTelemetry();
      return loadNodeEngine(packFiles(packUrl), await loadRuntime(), options);
    },
  };
}

async function readCatalogue(models: URL): Promise<CataloguedPack[]> {
  const entries = await readdir(models, { withFileTypes: true });
  const packs = await Promise.all(
    entries
      .filter((entry) => entry.isDirectory())
      .map(async ({ name }): Promise<CataloguedPack | undefined> => {
        const url = new URL(`${encodeURIComponent(name)}/`, models);
        const text = await readFile(new URL("manifest.json", url), "utf8").catch(() => undefined);
        return text === undefined ? undefined : { id: name, url: url.href, ...factsOf(text) };
      }),
  );
  return packs.filter((pack) => pack !== undefined);
}

/** A damaged manifest is still listed, so that loading it can say what is wrong. */
function factsOf(manifestText: string): { description: string; releaseDate: string } {
  try {
    const { description, releaseDate } = JSON.parse(manifestText) as Record<string, unknown>;
    return { description: String(description), releaseDate: String(releaseDate) };
  } catch {
    return { description: "(damaged manifest)", releaseDate: "" };
  }
}

function placeOf(model: string | URL): string | undefined {
  if (typeof model === "string" && !model.startsWith("file:")) {
    return /[/\\]/.test(model) || model.startsWith(".") ? asFolder(pathToFileURL(model)).href : undefined;
  }
  try {
    const url = new URL(model);
    // A file: URL may still be no path here: another host, an encoded slash.
    fileURLToPath(url);
    return asFolder(url).href;
  } catch (cause) {
    throw new DecideError(
      "model_not_found",
      "A model's place must be a folder or a file: URL of this machine, which the given one is not.",
      {
        cause,
      },
    );
  }
}

function asFolder(url: URL): URL {
  return url.pathname.endsWith("/") ? url : new URL(`${url.href}/`);
}

/** A worker that is never ended inside native code, nor before it has started. */
class GatedWorker extends Worker {
  readonly #gate: NativeGate;
  #isGone = false;

  constructor(script: URL, gate: NativeGate) {
    // Without the program's own flags: some, such as --input-type, no worker may have; and what --import loads is no business of ours.
    super(script, { name: "umpire", workerData: gate.memory, execArgv: [] });
    this.#gate = gate;
    if (gates.size === 0) process.on("exit", shutGates);
    gates.add(gate);
    this.once("exit", () => {
      this.#isGone = true;
      gates.delete(gate);
      if (gates.size === 0) process.off("exit", shutGates);
    });
  }

  override async terminate(): Promise<number> {
    await this.#gate.shutSoon(() => this.#isGone);
    return super.terminate();
  }
}

/** Those of the workers that live. A program that exits ends its workers without asking. */
const gates = new Set<NativeGate>();

function shutGates(): void {
  for (const gate of gates) gate.shut();
}

function startWorker(script: URL): WorkerThread {
  // Here, on the caller's thread: in the worker it would be too late.
  switchOffTelemetry();
  const worker = new GatedWorker(script, new NativeGate());
  worker.unref();
  const gone = new Promise<unknown>((resolve) => {
    worker.once("error", resolve);
    worker.once("exit", (code) => {
      resolve(new Error(`the worker exited with code ${code}`));
    });
  });
  return {
    endpoint: nodeEndpoint(worker),
    gone,
    keepAlive: (keep) => {
      if (keep) worker.ref();
      else worker.unref();
    },
    terminate: async () => {
      await worker.terminate();
    },
  };
}
