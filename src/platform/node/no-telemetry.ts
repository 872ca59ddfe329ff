import { isMainThread } from "node:worker_threads";

const VARIABLE = "ORT_DISABLE_TELEMETRY";

/**
 * Since version 1.29, onnxruntime sends events about models and sessions to its maker and keeps an identifier in the home folder, unless this
 * variable is set before its first use. It reads the environment of the process, which only the main thread can change: a worker thread has a copy.
 */
export function switchOffTelemetry(): void {
  if (process.env[VARIABLE] !== undefined) return;
  process.env[VARIABLE] = "1";
  if (isMainThread) return;
  process.emitWarning(
    `umpire was first used in a worker thread, which cannot switch off onnxruntime's telemetry. Start the program with ${VARIABLE}=1, or use umpire on the main thread first.`,
    { code: "UMPIRE_TELEMETRY" },
  );
}
