import { afterAll, beforeAll, expect, test } from "vitest";
import { cleanEnv, CLI, finished, umpire } from "../support/command-line.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { RedisServer } from "../serve/ledger/redis-server.ts";

// What workers do for runs is in run-queue.test.ts.

let server: RedisServer;
beforeAll(async () => {
  server = await RedisServer.start();
});
afterAll(() => server.end());

test("a worker needs a queue", async () => {
  const { code, stderr } = await umpire(["worker"]);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "umpire: required option '--queue <url>' not specified\n" });
});

test.each([
  ["redis://127.0.0.1:1", 1, "The Redis server at 127.0.0.1:1 cannot be reached (ECONNREFUSED). Is it running there?"],
  ["127.0.0.1:6379", 2, "--queue must be the URL of a Redis: redis://user:password@host:6379/0, or rediss:// for TLS."],
] as const)("a queue that is not there is told: %s", async (queue, exitCode, words) => {
  const { code, stderr } = await umpire(["worker", "--queue", queue]);
  expect({ code, stderr }).toEqual({ code: exitCode, stderr: `umpire: ${words}\n` });
});

test("a queue may be named by a variable; a signal ends a worker that waits, with exit code 0", async () => {
  const child = spawn(process.execPath, [CLI, "worker"], { env: cleanEnv({ UMPIRE_QUEUE: server.url() }) });
  const ended = finished(child);
  await once(child.stderr, "data");
  child.kill("SIGTERM");
  expect(await ended).toEqual({ code: 0, signal: null, stdout: "", stderr: "umpire: Waiting for chunks of umpire run --queue.\n" });
});
