import { readFile } from "node:fs/promises";
import { availableParallelism, totalmem } from "node:os";
import { Catalogue } from "../../library/decider/catalogue.ts";
import { MANIFEST } from "../../library/engine/pack/manifest.ts";
import type { Platform } from "../../library/platform/platform.ts";
import { processorLimit } from "../doctor/machine.ts";

/** More workers than this gain little, and each has the model in memory of its own. */
const MOST_WORKERS = 4;
/** The least that a worker may need: of umpire-2 some 60 MB, and 360 MB while it reads the longest state. */
const BYTES_PER_WORKER = 500e6;
/** Memory of a loaded model for each byte of its files; and while it reads the longest state, for each number that it keeps of that. */
const [PER_FILE_BYTE, PER_NUMBER] = [2, 5];

interface Machine {
  /** How many threads run at one time; less than 1 if a container has a part of a processor. */
  readonly processors: number;
  readonly memoryBytes: number;
  readonly bytesPerWorker: number;
}

/** This machine, as far as the limits of its container let this program use it. @param model the one that the workers have; undefined: the best that is installed */
export async function thisMachine(platform: Platform, model?: string | URL): Promise<Machine> {
  const processors = Math.min(availableParallelism(), (await processorLimit()) ?? Infinity);
  // 0 if there is no limit.
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return { processors, memoryBytes, bytesPerWorker: await bytesPerWorker(platform, model) };
}

/** A model of the built-in family with more layers, or wider ones, keeps more of a state. Others keep nothing of it. */
async function bytesPerWorker(platform: Platform, model: string | URL = "latest"): Promise<number> {
  try {
    const catalogue = new Catalogue(platform, model, () => Promise.reject(new Error("no model is loaded for its size")));
    const folder = await catalogue.packUrlOf(undefined);
    const { network, limits, files } = JSON.parse(await readFile(new URL(MANIFEST, folder), "utf8")) as SizedManifest;
    if (network === undefined) return BYTES_PER_WORKER;
    const fileBytes = Object.values(files).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    // A key and a value of each token, layer and head.
    const numbers = limits.stateTokens * network.layers * 2 * network.heads * network.headSize;
    return Math.max(BYTES_PER_WORKER, PER_FILE_BYTE * fileBytes + PER_NUMBER * numbers) || BYTES_PER_WORKER;
  } catch {
    // Loading the model will say what is wrong with it.
    return BYTES_PER_WORKER;
  }
}

/** Sizes in a manifest of the built-in family. They are not checked here: a wrong one gives a wrong number of workers, and its model does not load. */
interface SizedManifest {
  readonly network?: { readonly layers: number; readonly heads: number; readonly headSize: number };
  readonly limits: { readonly stateTokens: number };
  readonly files: Readonly<Record<string, { readonly sizeBytes: number }>>;
}

/** How a server uses the processors: several workers of one thread answer more requests in the same time than one worker of several threads. */
export function workersFor(
  { workers, threads }: { readonly workers?: number | undefined; readonly threads?: number | undefined },
  { processors, memoryBytes, bytesPerWorker }: Machine,
): { readonly workers: number; readonly threads: number | undefined } {
  // The decider has its own default for one worker.
  if (workers !== undefined) return { workers, threads: workers === 1 ? threads : (threads ?? 1) };
  const byProcessors = Math.floor(Math.min(processors, MOST_WORKERS) / (threads ?? 1));
  const fitting = Math.max(1, Math.min(byProcessors, Math.floor(memoryBytes / bytesPerWorker)));
  return { workers: fitting, threads: fitting === 1 ? threads : (threads ?? 1) };
}
