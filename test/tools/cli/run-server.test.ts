import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { plain } from "../../../src/tools/cli/output/screen.ts";
import { terminalLog } from "../../../src/tools/cli/run-server.ts";
import type { Logger, LogLevel } from "../../../src/service/node/serve-options.ts";

beforeAll(() => void vi.useFakeTimers({ now: new Date(2026, 0, 2, 7, 5, 9), toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

function logTo(written: string[], level: LogLevel = "info"): Logger {
  return terminalLog(level, plain, (line) => written.push(line));
}

const REQUEST = {
  requestId: "id-7",
  method: "POST",
  route: "decide",
  status: 200,
  model: "umpire-2",
  inputTokens: 44,
  durationMs: 12.345,
  queuedMs: 0.1,
};

it("a line has the time, the message and its fields", () => {
  const written: string[] = [];
  logTo(written).info({ url: "http://127.0.0.1:8780", absent: undefined }, "listening");
  expect(written).toEqual(["07:05:09  listening  url: http://127.0.0.1:8780\n"]);
});

it("a request's line is short, and one that failed has its id", () => {
  const written: string[] = [];
  const log = logTo(written);
  log.info(REQUEST, "request");
  log.error({ ...REQUEST, status: 500, code: "internal", cause: "TypeError: no" }, "request failed");
  expect(written).toEqual([
    "07:05:09  POST decide 200, 12 ms  tokens: 44\n",
    "07:05:09  POST decide 500, 12 ms  code: internal  tokens: 44  cause: TypeError: no  id: id-7\n",
  ]);
});

it("lines below the level are left out, and silent leaves out all", () => {
  const written: string[] = [];
  const log = logTo(written, "warn");
  log.debug({}, "a");
  log.info({}, "b");
  log.warn({}, "c");
  logTo(written, "silent").error({}, "d");
  expect(written).toEqual(["07:05:09  c\n"]);
});

it("a field cannot control the terminal, or begin a line", () => {
  const written: string[] = [];
  logTo(written).error({ problem: "\u001b[2J\nnext" }, "failed");
  expect(written[0]).toBe("07:05:09  failed  problem: \\u001b[2J next\n");
});
