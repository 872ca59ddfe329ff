import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sendReply } from "../../../../src/service/node/server/request-listener.ts";
import { lacks } from "../../../support/needs.ts";
import { LONG_STATE, running } from "../running.ts";
import type { Running } from "../running.ts";
import { rawClient, replyOf } from "./raw-client.ts";
import type { RawClient } from "./raw-client.ts";

const HEAD = "POST /decision/v1/model HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

let served: Running;
beforeAll(async () => {
  served = await running();
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

/** A counter's value; 0 if it has not counted yet. */
async function counted(series: string, { metrics } = served): Promise<number> {
  const line = (await metrics()).split("\n").find((line) => line.startsWith(`${series} `));
  return Number(line?.slice(series.length) ?? 0);
}

const faults = (kind: string, of = served): Promise<number> => counted(`umpire_connection_errors_total{kind="${kind}"}`, of);

/** Checks a reply of the server itself: it looks like any other error. */
function expectError(received: string, status: number): void {
  const reply = replyOf(received);
  expect(reply.status).toBe(status);
  expect(reply.headers.get("content-type")).toBe("application/json");
  expect(reply.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/u);
  expect(reply.headers.get("request-id")).toBe(reply.headers.get("x-request-id"));
  const { error, detail } = reply.body as { error: Record<string, unknown>; detail: Record<string, unknown> };
  expect(error).toEqual({ message: expect.any(String) as string, type: "invalid_request_error", code: "invalid_request", param: null });
  expect(detail).toEqual({ error_type: "api_usage_error", message: error["message"] });
}

describe("a slow client", () => {
  test.each([
    ["sending its headers", HEAD],
    ["that sends nothing at all", ""],
    ["sending its body", `${HEAD}Content-Length: 100\r\n\r\n{`],
  ])("%s gets 408 and loses its connection", async (_, sent) => {
    await using impatient = await running({}, { connections: { headersMs: 300, requestMs: 500 } });
    const client = await rawClient(impatient.server.port);
    client.write(sent);
    // A trickle of bytes does not help.
    const dripping = setInterval(() => {
      if (sent !== "") client.write(sent.endsWith("{") ? " " : "x-drip: 1\r\n");
    }, 50);
    const received = await client.closed().finally(() => {
      clearInterval(dripping);
    });
    expectError(received, 408);
    await expect.poll(() => faults("timeout", impatient).catch(() => 0)).toBeGreaterThanOrEqual(1);
  });

  test("to send the next request loses its connection", async () => {
    await using patient = await running({ connections: { keepAliveMs: 1_000_000 } });
    await using impatient = await running({ connections: { keepAliveMs: 300 } });
    const idle = async ({ server }: Running): Promise<RawClient> => {
      const client = await rawClient(server.port);
      client.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await client.until(/alive/u);
      return client;
    };
    // The first to come would be the first to go if another limit held for both.
    const [first, second] = [await idle(patient), await idle(impatient)];
    expect(await Promise.race([first.closed().then(() => "patient"), second.closed().then(() => "impatient")])).toBe("impatient");
    expect(replyOf(await second.closed()).body).toEqual({ status: "alive" });
  });

  test("to read its reply loses its connection", async () => {
    let slow = 0;
    const server = createServer((_, outgoing) => {
      const drop = (): void => {
        slow++;
        outgoing.destroy();
      };
      // More than the system keeps for both sides.
      sendReply({ status: 200, headers: {}, body: "x".repeat(64_000_000) }, outgoing, 200, drop);
    }).listen(0);
    const client = await rawClient((server.address() as AddressInfo).port);
    client.socket.pause();
    client.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(() => slow).toBe(1);
    client.socket.destroy();
    await once(server.close(), "close");
  });
});

describe("input that is not a valid request", () => {
  test.each([
    ["noise", "\u0000\u0001 hello\r\n\r\n", 400],
    ["an unknown method", "FETCH / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400],
    ["two lengths", `${HEAD}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello`, 400],
    ["a length and chunks", `${HEAD}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\nhello`, 400],
    ["invalid chunks", `${HEAD}Transfer-Encoding: chunked\r\n\r\nhello\r\n`, 400],
    ["two Hosts", "GET /livez HTTP/1.1\r\nHost: localhost\r\nhost: other\r\n\r\n", 400],
    ["a coding besides chunked", `${HEAD}Transfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, 400],
    ["chunks in chunks", `${HEAD}Transfer-Encoding: chunked, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`, 400],
    ["thousands of headers", `GET /livez HTTP/1.1\r\nHost: localhost\r\n${"a:\r\n".repeat(2500)}Host: other\r\n\r\n`, 431],
    ["thousands of tiny chunks", `${HEAD}Transfer-Encoding: chunked\r\n\r\n${"1\r\n \r\n".repeat(5000)}`, 400],
    ["no Host", "GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["an invalid Host", "GET /livez HTTP/1.1\r\nHost: a b@c\r\nConnection: close\r\n\r\n", 400],
    ["a tunnel", "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n", 400],
    ["headers that are too long", `GET /livez HTTP/1.1\r\nHost: localhost\r\nx-long: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ])("%s: gets an error as JSON", async (_, sent, status) => {
    const client = await rawClient(served.server.port);
    client.write(sent);
    expectError(await client.closed(), status);
  });

  test("gets no reply that the client could take for that of an earlier request", async () => {
    const client = await rawClient(served.server.port);
    client.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n\u0000\u0001\r\n\r\n");
    const received = await client.closed();
    expect(received.startsWith("HTTP/1.1 4")).toBe(false);
  });
});

test("chunks may be small if there are few, and many if they are not", async () => {
  const body = JSON.stringify({ model: "latest", state: "x".repeat(100_000), questions: {} });
  for (const size of [200, 80]) {
    const chunks = (body.slice(0, size * 1200).match(new RegExp(`.{1,${size}}`, "gu")) ?? []).map(
      (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
    );
    const client = await rawClient(served.server.port);
    client.write(`${HEAD}Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n${chunks.join("")}0\r\n\r\n`);
    expect(replyOf(await client.closed()).body).not.toMatchObject({ error: { message: expect.stringContaining("chunks") as string } });
  }
});

test("a client that asks for a tunnel and resets the connection does not disturb the server", async () => {
  for (let i = 0; i < 20; i++) {
    const client = await rawClient(served.server.port);
    client.write("CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n");
    client.socket.resetAndDestroy();
  }
  const client = await rawClient(served.server.port);
  client.write("GET /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(replyOf(await client.closed()).status).toBe(200);
});

test("an HTTP/1.0 client needs no Host, and an unknown expectation is ignored", async () => {
  for (const head of [
    "GET /livez HTTP/1.0\r\n\r\n",
    "GET /livez HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n",
  ]) {
    const client = await rawClient(served.server.port);
    client.write(head);
    expect(replyOf(await client.closed()).status).toBe(200);
  }
});

test("a client that hangs up ends its work", async () => {
  const before = await counted("umpire_client_hang_ups_total");
  const hangUp = new AbortController();
  const asked = served.ask(LONG_STATE, { signal: hangUp.signal, headers: { "x-request-id": "hung-up-1" } });
  await served.untilWorking();
  hangUp.abort();
  await expect(asked).rejects.toThrow();
  await expect.poll(() => served.log.find((line) => line.includes("hung-up-1"))).toContain('"status":499');
  expect(await counted("umpire_requests_running")).toBe(0);
  expect(await counted("umpire_client_hang_ups_total")).toBe(before + 1);
});

test("a body over the limit gets 413, however long it is", async () => {
  const response = await served.ask("x".repeat(10_000_000));
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: "input_too_long" } });
});

test("connections beyond the limit are closed at once; when others close, new ones are served again", async () => {
  await using narrow = await running({ connections: { count: 20 } });
  const clients = await Promise.all(Array.from({ length: 20 }, () => rawClient(narrow.server.port)));
  expect(await (await rawClient(narrow.server.port)).closed()).toBe("");
  for (const { socket } of clients) socket.destroy();
  // Refused until the server has seen that the others are closed.
  await expect.poll(() => faults("too_many", narrow).catch(() => 0)).toBeGreaterThanOrEqual(1);
});

test.skipIf(lacks("ss"))("connections are probed, to notice peers that have vanished", async () => {
  const client = await rawClient(served.server.port);
  client.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await client.until(/alive/u);
  const { localPort = 0 } = client.socket;
  const sockets = execFileSync("ss", ["-tno", "state", "established", `sport = :${served.server.port}`], { encoding: "utf8" });
  client.socket.destroy();
  expect(sockets).toMatch(new RegExp(`:${localPort}\\s+timer:\\(keepalive`, "u"));
});
