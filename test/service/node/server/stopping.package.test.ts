import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { serve } from "../../../../src/service/node/serve.ts";
import { sharedDecider } from "../../../support/shared-decider.ts";
import { Gate } from "../gate.ts";
import { requestAbout, running } from "../running.ts";
import { rawClient, replyOf } from "./raw-client.ts";
import type { RawClient } from "./raw-client.ts";

/** The server's clock stands still from here on, unless the test turns it. */
const stopClock = (): void => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
afterEach(() => {
  vi.useRealTimers();
});

/** Sends a request that is answered once the gate is open, and waits until it is running. */
async function started(port: number, gate: Gate): Promise<RawClient> {
  gate.shut();
  const client = await rawClient(port);
  const body = JSON.stringify(requestAbout("late"));
  client.write(`POST /decision/v1/model HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  await gate.reached(1);
  return client;
}

test("a stopping server finishes running requests, closes idle connections, and accepts no new ones", async () => {
  const gate = new Gate();
  await using served = await running({ decider: gate.decider });
  const { server, log } = served;
  const silent = await rawClient(server.port);
  const idle = await rawClient(server.port);
  idle.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await idle.until(/alive/u);
  const halfSent = await rawClient(server.port);
  halfSent.write("POST /decision/v1/model HTTP/1.1\r\nHost: local");
  const client = await started(server.port, gate);

  const closing = server.close();
  expect(server.ready).toBe(false);
  await Promise.all([silent.closed(), idle.closed(), halfSent.closed()]);
  await expect(fetch(server.url)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });

  gate.open();
  const reply = replyOf(await client.closed());
  expect(reply.status).toBe(200);
  expect(reply.headers.get("connection")).toBe("close");
  expect(reply.body).toMatchObject({ answers: { late: { type: "noul" } } });
  expect(await closing).toEqual({ droppedRequests: 0 });
  expect(await server.close()).toEqual({ droppedRequests: 0 });
  // The server does not close a decider that it was given.
  expect((await sharedDecider.info()).model).toBeTypeOf("string");
  expect(log.map((line) => (JSON.parse(line) as { message: string }).message)).toEqual([
    expect.stringContaining("authentication is off"),
    "listening",
    "ready",
    "draining",
    "request",
    "closed",
  ]);
});

test("a request that runs for too long is dropped, and its work is aborted", async () => {
  const gate = new Gate();
  await using served = await running({ decider: gate.decider, shutdownMs: 5000 });
  const client = await started(served.server.port, gate);
  stopClock();
  const closing = served.server.close();
  await vi.advanceTimersByTimeAsync(4999);
  expect(gate.waiting).toBe(1);
  vi.advanceTimersByTime(1);
  expect(await closing).toEqual({ droppedRequests: 1 });
  expect(gate.waiting).toBe(0);
  expect(await client.closed()).toBe("");
  expect(served.log.find((line) => line.includes('"route":"decide"'))).toContain('"status":499');
});

test("with a delay, a stopping server goes on answering for that time, and reports that it is not ready", async () => {
  await using served = await running({ shutdownDelayMs: 2000 });
  const { server } = served;
  stopClock();
  const closing = server.close();
  await vi.advanceTimersByTimeAsync(1999);
  const response = await fetch(`${server.url}/readyz`);
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ error: { code: "closed" } });
  expect((await served.ask("it was late")).status).toBe(200);
  expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  vi.advanceTimersByTime(1);
  expect(await closing).toEqual({ droppedRequests: 0 });
});

test("a client that never sends the rest of its request does not keep the server from stopping", async () => {
  await using served = await running({ shutdownMs: 5000 });
  const client = await rawClient(served.server.port);
  client.write("POST /decision/v1/model HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{");
  // Once this is answered, the server has also read what was sent on the first connection.
  await fetch(`${served.server.url}/livez`);
  const ended = once(client.socket, "close");
  stopClock();
  const closing = served.server.close();
  await vi.advanceTimersByTimeAsync(5000);
  expect(await closing).toEqual({ droppedRequests: 1 });
  await ended;
});

test("a server that cannot listen leaves no timer behind", async () => {
  await using served = await running();
  const [started, ended] = [vi.spyOn(globalThis, "setInterval"), vi.spyOn(globalThis, "clearInterval")];
  const { port } = served.server;
  await expect(serve({ decider: sharedDecider, port, metrics: false })).rejects.toMatchObject({ code: "EADDRINUSE" });
  const left = started.mock.results.length - ended.mock.calls.length;
  vi.restoreAllMocks();
  expect(left).toBe(0);
});
