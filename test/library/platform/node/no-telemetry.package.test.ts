import { once } from "node:events";
import { setImmediate as nextTask } from "node:timers/promises";
import { SHARE_ENV } from "node:worker_threads";
import type { WorkerOptions } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { switchOffTelemetry } from "../../../../src/library/platform/node/telemetry.ts";
import { startThread } from "./source-thread.ts";

const VARIABLE = "ORT_DISABLE_TELEMETRY";
const before = process.env[VARIABLE];
beforeEach(() => {
  Reflect.deleteProperty(process.env, VARIABLE);
});
afterEach(() => {
  if (before !== undefined) process.env[VARIABLE] = before;
  else Reflect.deleteProperty(process.env, VARIABLE);
});

describe("on the main thread", () => {
  it("onnxruntime's telemetry is switched off for the process, without a warning", async () => {
    const warnings: Error[] = [];
    const onWarning = (warning: Error): void => void warnings.push(warning);
    process.on("warning", onWarning);
    switchOffTelemetry();
    await nextTask();
    process.off("warning", onWarning);
    expect(process.env[VARIABLE]).toBe("1");
    expect(warnings).toEqual([]);
  });

  it.each(["0", ""])("the user's own setting stays (%j)", (own) => {
    process.env[VARIABLE] = own;
    switchOffTelemetry();
    expect(process.env[VARIABLE]).toBe(own);
  });
});

describe("in a worker thread of the program", () => {
  /** Whether the thread finds telemetry switched off for the process, after it has tried to do so twice. */
  const isOff = async (env?: WorkerOptions["env"]): Promise<unknown> => {
    const thread = await startThread(
      `
      import { parentPort } from "node:worker_threads";
      import { switchOffTelemetry } from "../../../../src/library/platform/node/telemetry.ts";
      switchOffTelemetry();
      parentPort.postMessage(switchOffTelemetry());`,
      { env },
    );
    const [message] = (await once(thread, "message")) as [unknown];
    await thread.terminate();
    return message;
  };

  it("it cannot be: the thread has a copy of the environment", async () => {
    expect(await isOff()).toBe(false);
    expect(process.env[VARIABLE]).toBeUndefined();
  });

  it("it is not by an environment of the thread's own", async () => {
    expect(await isOff({ ...process.env, [VARIABLE]: "1" })).toBe(false);
  });

  it("it can be when the thread shares the environment of the program", async () => {
    expect(await isOff(SHARE_ENV)).toBe(true);
    expect(process.env[VARIABLE]).toBe("1");
  });

  it.each(["1", "0", ""])("it is, or is left as the user wants it, when the variable is set for the program (%j)", async (own) => {
    process.env[VARIABLE] = own;
    expect(await isOff()).toBe(true);
    expect(await isOff({})).toBe(true);
  });
});
