import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Connections } from "../../../../src/service/node/server/connections.ts";
import { LONG_STATE, requestAbout, running } from "../running.ts";
import type { Running } from "../running.ts";
import { rawClient } from "./raw-client.ts";

const AT_ONCE = 16;

let served: Running;
/** The paths that were answered. */
const answered: string[] = [];
beforeAll(async () => {
  served = await running({ onServed: ({ route, status }) => void answered.push(`${route} ${status}`) });
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
});

const head = (place: string): string => `${place} HTTP/1.1\r\nHost: localhost\r\n`;
const post = (body: string): string => `${head("POST /decision/v1/model")}Content-Length: ${body.length}\r\n\r\n${body}`;
const pipelined = async (): Promise<number> =>
  Number(/umpire_connection_errors_total\{kind="pipelined"\} (\d+)/u.exec(await served.metrics())?.[1] ?? 0);

test.each([
  ["GET /openapi.json", `${head("GET /openapi.json")}\r\n`],
  ["HEAD /openapi.json", `${head("HEAD /openapi.json")}\r\n`],
  ["GET /nothing", `${head("GET /nothing")}\r\n`],
  ["an invalid decision", post("{}")],
  ["a decision that the server has to expect", post("{}").replace("\r\n", "\r\nExpect: 100-continue\r\n")],
])("62 KB of %s at once are not worked on: the connection is closed", async (_, request) => {
  const [answeredBefore, before] = [answered.length, await pipelined()];
  const client = await rawClient(served.server.port);
  client.write(request.repeat(62_000 / request.length));
  await client.closed();
  expect(await pipelined()).toBe(before + 1);
  // The one that the server had begun.
  expect(answered.length - answeredBefore).toBeLessThanOrEqual(1);
});

test("a client that sends a few requests at once gets all replies, in order", async () => {
  const client = await rawClient(served.server.port);
  const places = Array.from({ length: AT_ONCE }, (_, i) => (i % 2 === 0 ? "GET /livez" : "GET /readyz"));
  const close = `${head("GET /livez")}Connection: close\r\n\r\n`;
  client.write([...places.slice(1).map((place) => `${head(place)}\r\n`), close].join(""));
  const replies = (await client.closed()).match(/"status":"\w+"/gu);
  expect(replies).toEqual([...places.slice(1), "GET /livez"].map((place) => `"status":"${place === "GET /livez" ? "alive" : "ready"}"`));
});

test("of a client that hung up, nothing more is worked on than the one request", async () => {
  const before = answered.length;
  const client = await rawClient(served.server.port);
  client.write(post(JSON.stringify(requestAbout(LONG_STATE))) + `${head("GET /openapi.json")}\r\n`.repeat(AT_ONCE - 1));
  await served.untilWorking();
  client.socket.destroy();
  await expect.poll(() => answered.slice(before)).toEqual(["decide 499"]);
  expect((await served.ask("late")).status).toBe(200);
  expect(answered.slice(before)).toEqual(["decide 499", "decide 200"]);
});

test("Node does not parse what else has arrived on a connection that is closed", async () => {
  let [requests, closed] = [0, 0];
  const server = createServer(() => requests++);
  new Connections(server, { pipelined: 2, onTooMany: () => closed++, start: () => undefined });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = await rawClient((server.address() as AddressInfo).port);
  client.write(`${head("GET /")}\r\n`.repeat(1000));
  await client.closed();
  expect([requests, closed]).toEqual([3, 1]);
  await once(server.close(), "close");
});
