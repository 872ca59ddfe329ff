import { createDecider } from "umpire";
import type { DecideRequest, DeciderOptions } from "umpire";
import { describe, expect, it } from "vitest";
import { quickRequest } from "../../../support/long-requests.ts";
import { decideError } from "../../../support/rejection.ts";
import type { Suite } from "../suite.ts";

/** Options and calls that are refused. */
export function refusals(suite: Suite): void {
  const { make } = suite;

  describe("refuses", () => {
    it("a device that is not there, and says which are", async () => {
      const error = await decideError(() => make({ device: "webgpu" }).decide(quickRequest));
      expect(error).toMatchObject({ code: "backend_unavailable", status: 503 });
      expect(error.message).toContain('must be "auto", "cpu" or "wasm"');
    });

    it("arithmetic that the device does not have, and says which it has", async () => {
      const error = await decideError(() => make({ precision: "fp16" }).decide(quickRequest));
      expect(error).toMatchObject({ code: "backend_unavailable", status: 503 });
      expect(error.message).toBe(`The device ${suite.base.device ?? "cpu"} does not have fp16. Use one of: int8, fp32.`);
    });

    it("more calls than may wait", async () => {
      await using own = make({ maxPending: 2 });
      const calls = [own.decide(quickRequest), own.decide(quickRequest)];
      const error = await decideError(() => own.decide(quickRequest));
      expect(error).toMatchObject({ code: "overloaded", status: 429, retryable: true });
      await Promise.all(calls);
      expect((await own.decide(quickRequest)).answers.late.noul).toBeGreaterThan(0);
    });

    it("a wrong request before it loads anything", async () => {
      await using own = make({ model: "/there/is/no/such/folder" });
      expect(await decideError(() => own.decide({} as DecideRequest))).toMatchObject({ code: "invalid_request", status: 422 });
    });

    it.each<[string, unknown, string[]]>([
      ["null", null, ["options"]],
      ["a number", 5, ["options"]],
      ["an empty model", { model: "" }, ["options/model"]],
      ["a model that is an object", { model: {} }, ["options/model"]],
      ["no threads", { threads: 0 }, ["options/threads"]],
      ["half a thread", { threads: 1.5 }, ["options/threads"]],
      ["65 threads", { threads: 65 }, ["options/threads"]],
      ["another precision", { precision: "int4" }, ["options/precision"]],
      ["a number as device", { device: 4 }, ["options/device"]],
      ["a text as signal", { signal: "stop" }, ["options/signal"]],
      ["a number as assets", { assets: 7 }, ["options/assets"]],
      ["a text as onProgress", { onProgress: "log" }, ["options/onProgress"]],
      ["two that are wrong", { maxPending: 0, inline: "yes" }, ["options/inline", "options/maxPending"]],
    ])("%s as options", async (_, options, expected) => {
      const error = await decideError(() => createDecider(options as DeciderOptions));
      expect(error.code).toBe("invalid_request");
      expect(error.issues?.map(({ loc }) => loc.join("/"))).toEqual(expected);
    });

    it.each([[null], [3], [{ signal: "stop" }], [{ signal: null }]])("%j as a call's options", async (options) => {
      expect(await decideError(() => suite.decider.decide(quickRequest, options as { signal?: AbortSignal }))).toMatchObject({
        code: "invalid_request",
      });
    });
  });
}
