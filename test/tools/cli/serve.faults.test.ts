import { expect, test } from "vitest";
import { inTerminal, shell } from "../../support/command-line.ts";
import type { Run } from "../../support/command-line.ts";
import { ask, LONG, started } from "./started-server.ts";

const LONGER = LONG.repeat(5);

test("requests that cannot finish in time are dropped, with exit code 1; without keys there is a warning in the log", async () => {
  const { child, run, url } = await started(["--shutdown-ms", "20"]);
  const asked = ask(url, LONGER).catch(() => "dropped");
  await expect.poll(async () => (await fetch(`${url}/metrics`)).text(), { interval: 2 }).toContain("umpire_requests_running 1");
  child.kill("SIGINT");
  expect(await asked).toBe("dropped");
  const { code, stdout } = await run;
  expect(code).toBe(1);
  expect(stdout).toContain('"droppedRequests":1');
  expect(stdout).toMatch(/"level":"warn".*authentication is off/u);
});

test("a second signal ends it at once", async () => {
  const { child, run, url } = await started([]);
  const asked = ask(url, LONGER).catch(() => "dropped");
  await expect.poll(async () => (await fetch(`${url}/metrics`)).text(), { interval: 2 }).toContain("umpire_requests_running 1");
  child.kill("SIGTERM");
  await expect.poll(() => fetch(url).catch(() => "refused")).toBe("refused");
  child.kill("SIGTERM");
  expect((await run).code).toBe(1);
  expect(await asked).toBe("dropped");
});

test("a terminal gets readable lines, and JSON if it asks for it", async () => {
  const inATerminal = (...args: string[]): Promise<Run> =>
    inTerminal(shell(["serve", "--port", "0", "--threads", "1", ...args]), { env: { NO_COLOR: "1" }, typed: "\u0003", when: "ready" });
  // The exit code is that of the shell, which gets the signal, too.
  const { stdout } = await inATerminal();
  expect(stdout).toMatch(/^\d\d:\d\d:\d\d {2}listening {2}url: http:\/\/127\.0\.0\.1:\d+\r$/mu);
  expect(stdout).toMatch(/ closed {2}droppedRequests: 0\r$/mu);
  expect(stdout).not.toContain("{");
  const json = await inATerminal("--log-format", "json");
  expect(json.stdout).toMatch(/^\{"level":"info",.*"message":"listening"\}\r$/mu);
});
