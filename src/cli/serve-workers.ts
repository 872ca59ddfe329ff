import { availableParallelism, totalmem } from "node:os";
import { processorLimit } from "./doctor/processor-limit.ts";

/** More workers than this gain little, and each has the model in memory of its own. */
const MOST_WORKERS = 4;
/** What a worker may need: some 60 MB for the built-in model, and 360 MB while it reads the longest state. */
const BYTES_PER_WORKER = 500e6;

/** What the model may use of this machine. */
export interface Machine {
  /** How many threads run at one time; less than 1 if a container has a part of a processor. */
  readonly processors: number;
  readonly memoryBytes: number;
}

/** This machine, as far as the limits of its container let this program use it. */
export async function thisMachine(): Promise<Machine> {
  const processors = Math.min(availableParallelism(), (await processorLimit()) ?? Infinity);
  // 0 if there is no limit.
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Infinity);
  return { processors, memoryBytes };
}

/** How a server uses the processors: several workers of one thread answer more requests in the same time than one worker of several threads. */
export function workersFor(
  { workers, threads }: { readonly workers?: number | undefined; readonly threads?: number | undefined },
  { processors, memoryBytes }: Machine,
): { readonly workers: number; readonly threads: number | undefined } {
  // The decider has its own default for one worker.
  if (workers !== undefined) return { workers, threads: workers === 1 ? threads : (threads ?? 1) };
  const byProcessors = Math.floor(Math.min(processors, MOST_WORKERS) / (threads ?? 1));
  const fitting = Math.max(1, Math.min(byProcessors, Math.floor(memoryBytes / BYTES_PER_WORKER)));
  return { workers: fitting, threads: fitting === 1 ? threads : (threads ?? 1) };
}
