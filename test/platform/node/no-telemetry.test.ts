import { once } from "node:events";
import { setImmediate as nextTask } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { switchOffTelemetry } from "../../../src/platform/node/no-telemetry.ts";
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
  /** Codes and messages of the warnings that the thread got. */
  const warnings = async (): Promise<unknown> => {
    const thread = await startThread(`
      import { parentPort } from "node:worker_threads";
      import { switchOffTelemetry } from "../../../src/platform/node/no-telemetry.ts";
      const warnings = [];
      process.on("warning", ({ code, message }) => warnings.push({ code, message }));
      switchOffTelemetry();
      switchOffTelemetry();
      setTimeout(() => parentPort.postMessage(warnings), 50);`);
    const [message] = (await once(thread, "message")) as [unknown];
    await thread.terminate();
    return message;
  };

  it("it cannot be, and one warning says how to", async () => {
    expect(await warnings()).toEqual([
      {
        code: "UMPIRE_TELEMETRY",
        message: expect.stringMatching(/worker thread.*Start the program with ORT_DISABLE_TELEMETRY=1/) as string,
      },
    ]);
  });

  it("there is no warning when the program was started with it switched off", async () => {
    process.env[VARIABLE] = "1";
    expect(await warnings()).toEqual([]);
  });
});
