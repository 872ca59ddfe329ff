import { isMainThread } from "node:worker_threads";
import { DecideError } from "../../../errors.ts";

const VARIABLE = "ORT_DISABLE_TELEMETRY";

/**
 * Since version 1.29, onnxruntime sends events about models and sessions to its maker and keeps an identifier in the home folder, unless this
 * variable is set before its first use. It reads the environment of the process. The main thread can change that, but a worker thread usually has
 * only a copy.
 * @returns whether the variable is set for the process
 */
export function switchOffTelemetry(): boolean {
  const own = process.env[VARIABLE];
  process.env[VARIABLE] = own ?? "1";
  if (isMainThread) return true;
  // A copy proves nothing: the thread may have been started with the variable in an environment of its own.
  const { environmentVariables = { [VARIABLE]: own } } = processReport();
  return environmentVariables[VARIABLE] !== undefined;
}

/** The error of a thread in which the native runtime would report to its maker. */
export function wouldCallHome(): DecideError {
  const message = `umpire was first used in a worker thread of the program, which cannot switch off onnxruntime's telemetry. Start the program itself with ${VARIABLE}=1 in its environment, or use umpire on the main thread first. Or use the device wasm, which is slower but has no telemetry.`;
  return new DecideError("backend_unavailable", message);
}

interface ProcessReport {
  /** `glibcVersionRuntime` is absent where the C library is another. */
  readonly header: { readonly glibcVersionRuntime?: string };
  /** Paths of the libraries that this process has loaded. */
  readonly sharedObjects: readonly string[];
  /** Those of the process, not of the thread: a worker thread's `process.env` is usually a copy. Absent when a flag of Node leaves them out. */
  readonly environmentVariables?: { readonly [name: string]: string };
}

/** Takes a few milliseconds. */
function processReport(): ProcessReport {
  const report: NodeJS.ProcessReport & { excludeNetwork?: boolean } = process.report;
  const { excludeNetwork = false } = report;
  // Otherwise the report looks up the names of network addresses.
  report.excludeNetwork = true;
  try {
    return report.getReport() as unknown as ProcessReport;
  } finally {
    report.excludeNetwork = excludeNetwork;
  }
}

/** The C library, which decides whether the native binding can be loaded: "musl", or "glibc" with its version. Linux only. */
export function cLibrary(): string | undefined {
  const { header, sharedObjects } = processReport();
  if (header.glibcVersionRuntime !== undefined) return `glibc ${header.glibcVersionRuntime}`;
  return sharedObjects.some((path) => path.includes("ld-musl-")) ? "musl" : undefined;
}
