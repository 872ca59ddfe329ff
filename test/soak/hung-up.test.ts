import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { requestAbout, running } from "../service/node/running.ts";
import { rawClient } from "../service/node/server/raw-client.ts";
import type { RawClient } from "../service/node/server/raw-client.ts";

const LONG = JSON.stringify(requestAbout("the parcel came late ".repeat(1500)));
const HEAD = `POST /decision/v1/model HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${LONG.length}\r\n\r\n`;

test("the work for a client that hangs up ends: the next client does not wait for it", async () => {
  await using served = await running();
  const send = async (): Promise<RawClient> => {
    const client = await rawClient(served.server.port);
    client.write(HEAD + LONG);
    return client;
  };
  // What the next client would have to wait for.
  const startMs = performance.now();
  expect(await (await send()).closed()).toMatch(/^HTTP\/1\.1 200 /u);
  const wholeMs = performance.now() - startMs;
  let waitedMs = 0;
  const moments = [0, 0.02, 0.05, 0.1, 0.2];
  for (const share of moments) {
    const client = await send();
    await served.untilWorking();
    await sleep(share * wholeMs);
    client.socket.destroy();
    const hungUpMs = performance.now();
    expect((await served.ask("late")).status).toBe(200);
    waitedMs += performance.now() - hungUpMs;
  }
  // At most a fifth of each was done when its client hung up.
  expect(waitedMs).toBeLessThan((moments.length * wholeMs) / 2);
});
