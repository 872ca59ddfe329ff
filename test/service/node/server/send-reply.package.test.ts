import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { sendReply } from "../../../../src/service/node/server/send-reply.ts";
import type { Reply } from "../../../../src/service/handler/reply.ts";
import { jsonReply } from "../../../../src/service/handler/responses.ts";
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
