import type { DecideOptions } from "../decide/types.ts";
import type { DeciderOptions } from "./decider.ts";
import type { Device, Precision } from "../engine/engine.ts";
import { DecideError } from "../errors.ts";
import type { Issue } from "../errors.ts";
import type { Platform } from "../platform/platform.ts";
import type { OnProgress } from "./progress.ts";
import { shapeOf } from "../validation/shape.ts";

/** A decider's options with nothing left open. */
export interface Defaults {
  readonly model: string | URL;
  readonly device: Device | "auto";
  readonly precision: Precision | undefined;
  readonly threads: number;
  readonly inline: boolean;
  readonly maxPending: number;
  readonly assets: string | undefined;
  readonly onProgress: OnProgress | undefined;
  readonly signal: AbortSignal | undefined;
}

/** @throws {DecideError} `invalid_request` naming every option that is none. */
export function withDefaults(options: DeciderOptions, platform: Platform): Defaults {
  refuseNonObject(options);
  const { model = "latest", device = "auto", precision, threads = platform.defaultThreads } = options;
  const { inline = false, maxPending = 10_000, assets, onProgress, signal } = options;
  const issues: Issue[] = [];
  const check = (name: string, right: boolean, rule: string, value: unknown): void => {
    // A number of the options is no text of the caller's.
    const shown = typeof value === "number" ? value : shapeOf(value);
    if (!right) issues.push({ loc: ["options", name], msg: `must be ${rule}, but is ${shown}`, type: "unknown_value" });
  };
  check("model", (typeof model === "string" && model !== "") || model instanceof URL, "a catalogue id, a folder's path or a URL", model);
  check("device", typeof device === "string", "a device's name", device);
  check("precision", precision === undefined || ["int8", "fp16", "fp32"].includes(precision), '"int8", "fp16" or "fp32"', precision);
  check("threads", Number.isInteger(threads) && threads >= 1 && threads <= 64, "a whole number from 1 to 64", threads);
  check("inline", typeof inline === "boolean", "true or false", inline);
  check("inline", !inline || platform.loadInline !== undefined, "false in a browser, where a worker runs the model", inline);
  check("assets", assets === undefined || (typeof assets === "string" && assets !== "") || assets instanceof URL, "a URL", assets);
  check("onProgress", onProgress === undefined || typeof onProgress === "function", "a function", onProgress);
  check("signal", isSignal(signal), "an AbortSignal", signal);
  check("maxPending", Number.isInteger(maxPending) && maxPending >= 1, "a whole number, 1 or more", maxPending);
  if (issues.length > 0)
    throw new DecideError("invalid_request", `The options are not valid: ${issues.map(({ loc, msg }) => `${loc[1]} ${msg}`).join("; ")}.`, {
      issues,
    });
  return { model, device, precision, threads, inline, maxPending, assets: assets?.toString(), onProgress, signal };
}

/**
 * A call's options, checked, since they come from JavaScript, too.
 * @throws {DecideError} `invalid_request`
 */
export function readDecideOptions(options: DecideOptions): DecideOptions {
  refuseNonObject(options);
  const { signal, maxInputTokens } = options;
  const refuse = (name: string, msg: string, type: Issue["type"]): never => {
    throw new DecideError("invalid_request", `The options are not valid: ${name} ${msg}.`, {
      issues: [{ loc: ["options", name], msg, type }],
    });
  };
  if (!isSignal(signal)) refuse("signal", `must be an AbortSignal, but is ${shapeOf(signal)}`, "wrong_type");
  if (maxInputTokens !== undefined && !(typeof maxInputTokens === "number" && maxInputTokens >= 1)) {
    refuse("maxInputTokens", `must be a number, 1 or more, but is ${shapeOf(maxInputTokens)}`, "wrong_type");
  }
  return { signal, maxInputTokens };
}

function refuseNonObject(options: unknown): void {
  if (typeof options === "object" && options !== null) return;
  const issue: Issue = { loc: ["options"], msg: `must be an object, but is ${shapeOf(options)}`, type: "wrong_type" };
  throw new DecideError("invalid_request", `The options are not valid: they ${issue.msg}.`, { issues: [issue] });
}

/** By what it can do, not by its class: a signal may come from another realm. */
function isSignal(signal: unknown): boolean {
  return signal === undefined || (typeof signal === "object" && signal !== null && "aborted" in signal && "addEventListener" in signal);
}
