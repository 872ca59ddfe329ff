import { isMainThread } from "node:worker_threads";

const VARIABLE = "ORT_DISABLE_TELEMETRY";

/**
 * onnxruntime, from 1.29 on, sends events about models and sessions to its maker, and keeps an identifier in the home folder, unless this variable is
 * set when it is first used. It reads the process's own environment, which only the main thread can write: a worker thread has a copy.
 */
export function switchOffTelemetry(): void {
  if (process.env[VARIABLE] !== undefined) return;
  process.env[VARIABLE] = "1";
  if (isMainThread) return;
  process.emitWarning(
    `umpire was first used in a worker thread, from where the telemetry of onnxruntime cannot be switched off. Start the program with ${VARIABLE}=1, or use umpire on the main thread first.`,
    { code: "UMPIRE_TELEMETRY" },
  );
}
