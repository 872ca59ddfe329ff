import { afterAll, beforeAll, expect, test } from "vitest";
import { running } from "../running.ts";
import type { Running } from "../running.ts";
import { rawClient, replyOf } from "./raw-client.ts";
import type { RawClient } from "./raw-client.ts";

const ANNOUNCED = 1_048_576;

let served: Running;
beforeAll(async () => {
  served = await running();
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

/** A client whose body has begun to be received. It reads the server's word that it may go on. */
async function uploading(port: number, sentBytes: number): Promise<RawClient> {
  const client = await rawClient(port);
  client.write(
    `POST /decision/v1/model HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${ANNOUNCED}\r\n\r\n${" ".repeat(sentBytes)}`,
  );
  await client.until(/100 Continue/u);
  return client;
}

test.each([33, 100])("%i clients that send a megabyte byte by byte keep nobody from being answered", async (count) => {
  const { port } = served.server;
  const clients = await Promise.all(Array.from({ length: count }, () => uploading(port, 1)));
  const dripping = setInterval(() => {
    for (const client of clients) client.write(" ");
  }, 50);
  const answers = await Promise.all(Array.from({ length: 5 }, () => served.ask("late")));
  clearInterval(dripping);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  for (const { socket } of clients) socket.destroy();
});

test("clients that send much and then stop make room for one whose body has arrived, the oldest first", async () => {
  await using narrow = await running({}, { limits: { waitingBytes: 100_000 } });
  const { port } = narrow.server;
  const oldest = await uploading(port, 49_900);
  const newest = await uploading(port, 49_900);
  expect((await narrow.ask("late ".repeat(100))).status).toBe(200);
  expect(replyOf(await oldest.until(/\}$/u))).toMatchObject({ status: 429, body: { error: { code: "overloaded" } } });
  newest.socket.destroy();
});

test("a body that comes in more slowly than the least rate gets 408, and the connection is closed", async () => {
  const limits = { bodyProgressMs: 300, bodyProgressBytes: 1000 };
  await using impatient = await running({}, { connections: limits });
  const client = await uploading(impatient.server.port, 1);
  const dripping = setInterval(() => {
    client.write(" ");
  }, 30);
  const received = await client.closed().finally(() => {
    clearInterval(dripping);
  });
  expect(replyOf(received)).toMatchObject({ status: 408, body: { error: { code: "invalid_request" } } });
  expect(await impatient.metrics()).toMatch(/^umpire_connection_errors_total\{kind="slow_sender"\} 1$/mu);
});
