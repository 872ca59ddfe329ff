import { expect, test } from "vitest";
import type { Served } from "../../../../src/service/handler/observation.ts";
import { chainOf, logServed } from "../../../../src/service/node/observability/logger.ts";
import type { LogFields, Logger } from "../../../../src/service/node/serve-options.ts";

const SERVED: Served = { requestId: "r1", method: "POST", route: "decide", status: 200, durationMs: 12.3456789 };

/** What is logged for a request: level, message, and the fields that have a value. */
function logged(served: Partial<Served>): { level: string; message: string; fields: LogFields } {
  const lines: ReturnType<typeof logged>[] = [];
  const at =
    (level: string) =>
    (fields: LogFields, message: string): void => {
      const known = Object.entries(fields).filter(([, value]) => value !== undefined);
      lines.push({ level, message, fields: Object.fromEntries(known) });
    };
  const logger: Logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  logServed(logger, { ...SERVED, ...served });
  const [line, ...more] = lines;
  if (line === undefined || more.length > 0) throw new Error(`${lines.length} lines were logged instead of one`);
  return line;
}

test("an answered request is one line with its key, model, tokens, credits and times", () => {
  const usage = { input_tokens: 144, output_tokens: 2 };
  expect(logged({ key: "shop", model: "umpire-2", usage, nanocredits: 15_200, queuedMs: 0.00049 })).toEqual({
    level: "info",
    message: "request",
    fields: {
      requestId: "r1",
      method: "POST",
      route: "decide",
      status: 200,
      key: "shop",
      model: "umpire-2",
      inputTokens: 144,
      outputTokens: 2,
      credits: 0.0000152,
      durationMs: 12.346,
      queuedMs: 0,
    },
  });
});

test.each<[string, Partial<Served>, string]>([
  ["a client's mistake", { status: 422, code: "invalid_request" }, "info"],
  ["a client that hung up", { status: 499 }, "info"],
  ["an overloaded service, which is as intended", { status: 529, code: "overloaded" }, "info"],
  ["a failure of ours", { status: 500, code: "internal" }, "error"],
  ["a ledger that is down", { status: 503, code: "backend_unavailable" }, "error"],
])("%s: %j is logged as %s", (_, served, level) => {
  expect(logged(served).level).toBe(level);
});

test("the cause is logged for failures of ours, and not for mistakes, where it may quote the input", () => {
  const cause = new SyntaxError("Unexpected token in 'my secret text'");
  expect(logged({ status: 500, code: "internal", cause }).fields["cause"]).toBe(`SyntaxError: ${cause.message}`);
  expect(JSON.stringify(logged({ status: 400, code: "invalid_request", cause }))).not.toContain("secret");
});

test("a chain of causes names each error", () => {
  const inner = new RangeError("no memory");
  expect(chainOf(new Error("outer", { cause: new TypeError("middle", { cause: inner }) }))).toBe(
    "Error: outer; because TypeError: middle; because RangeError: no memory",
  );
  expect(chainOf("text")).toBe("text");
});
