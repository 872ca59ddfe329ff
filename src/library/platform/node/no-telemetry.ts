import { isMainThread } from "node:worker_threads";
import { DecideError } from "../../../errors.ts";
import { processReport } from "./process-report.ts";

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
