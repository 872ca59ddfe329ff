import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createKeys, keyFromSecret } from "umpire/serve";
import type { ServeOptions } from "umpire/serve";
import { expect, test } from "vitest";
import { jsonReply } from "../../../../src/service/handler/responses.ts";
import type { Reply } from "../../../../src/service/handler/responses.ts";
import { sendReply } from "../../../../src/service/node/server/request-listener.ts";
import { running } from "../running.ts";
import { rawClient, replyOf } from "./raw-client.ts";

const HELLO: Reply = { status: 200, headers: {}, body: "hello" };

/** Sends a reply over a real connection. @returns what the client receives */
async function sent(reply: Reply, request = "GET / HTTP/1.1"): Promise<string> {
  const server = createServer((_, outgoing) => {
    sendReply(reply, outgoing, 10_000, () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const client = await rawClient((server.address() as AddressInfo).port);
  client.write(`${request}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const received = await client.closed();
  await once(server.close(), "close");
  return received;
}

test("status, headers and body are sent with the body's length, not in chunks", async () => {
  const received = await sent(jsonReply(402, { grüße: 1 }, { "x-request-id": "a" }));
  const { status, headers } = replyOf(received);
  expect(status).toBe(402);
  expect(Buffer.from(received, "latin1").toString("utf8")).toMatch(/\r\n\r\n\{"grüße":1\}$/u);
  expect(Object.fromEntries(headers)).toMatchObject({
    "content-type": "application/json",
    "content-length": "13",
    "x-request-id": "a",
  });
  expect(headers.has("transfer-encoding")).toBe(false);
});

test("an empty body has the length 0, and a reply without a body has no length", async () => {
  expect(replyOf(await sent({ status: 200, headers: {}, body: "" })).headers.get("content-length")).toBe("0");
  expect(replyOf(await sent({ status: 204, headers: {}, body: null })).headers.has("content-length")).toBe(false);
});

test("the reply to HEAD has the length of the body, but not the body", async () => {
  const received = await sent(HELLO, "HEAD / HTTP/1.1");
  expect(received).toMatch(/content-length: 5\r\n/u);
  expect(received.endsWith("\r\n\r\n")).toBe(true);
});

/** The statuses of three pages and a decision, asked under a name. */
async function statusesFor(host: string, options: Partial<ServeOptions>): Promise<unknown[]> {
  await using served = await running(options);
  const ask = async (head: string): Promise<unknown> => {
    const client = await rawClient(served.server.port);
    client.write(`${head} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    const { status, headers, body } = replyOf((await client.closed()).replace(/(\r\n\r\n)#.*/su, "$1"));
    if (status === 421) {
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/u);
      expect(body).toMatchObject({ error: { code: "invalid_request" } });
      expect(JSON.stringify(body)).not.toContain("attacker");
    }
    return status;
  };
  const heads = ["GET /livez", "GET /metrics", "GET /openapi.json", "POST /decision/v1/model"];
  const statuses = await Promise.all(heads.map(ask));
  if (statuses.includes(421)) expect(await served.metrics()).toMatch(/^umpire_connection_errors_total\{kind="wrong_host"\} 4$/mu);
  return statuses;
}

test("without keys, a name that another site may have pointed here gets nothing", async () => {
  expect(await statusesFor("attacker.example", {})).toEqual([421, 421, 421, 421]);
});

test("a name of hostNames is answered", async () => {
  expect(await statusesFor("Umpire.internal:8780", { hostNames: ["umpire.internal"] })).toEqual([200, 200, 200, 400]);
});

test("with keys any name is answered, unless names are given", async () => {
  const keys = createKeys([await keyFromSecret("shop", "secret")]);
  expect(await statusesFor("attacker.example", { keys })).toEqual([200, 200, 200, 401]);
  expect(await statusesFor("attacker.example", { keys, hostNames: ["umpire.internal"] })).toEqual([421, 421, 421, 421]);
});
