import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { RedisServer } from "../../service/node/ledger/redis-server.ts";
import { cleanEnv, CLI, finished, umpire } from "../../support/command-line.ts";
import { lacks } from "../../support/needs.ts";

// What workers do for runs is in run-queue.faults.test.ts.

test("a queue that is not there is told", async () => {
  const { code, stderr } = await umpire(["worker", "--queue", "redis://127.0.0.1:1"]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: "umpire: The Redis server at 127.0.0.1:1 cannot be reached (ECONNREFUSED). Is it running there?\n",
  });
});

test.skipIf(lacks("redis-server"))("a queue may be named by a variable; a signal ends a worker that waits, with exit code 0", async () => {
  const server = await RedisServer.start();
  try {
    const child = spawn(process.execPath, [CLI, "worker"], { env: cleanEnv({ UMPIRE_QUEUE: server.url() }) });
    const ended = finished(child);
    await once(child.stderr, "data");
    child.kill("SIGTERM");
    expect(await ended).toEqual({ code: 0, signal: null, stdout: "", stderr: "umpire: Waiting for chunks of umpire run --queue.\n" });
  } finally {
    await server.end();
  }
});
