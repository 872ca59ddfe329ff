import { createKeys, keyFromSecret } from "umpire/serve";
import type { ServeOptions } from "umpire/serve";
import { expect, test } from "vitest";
import { running } from "../running.ts";
import { rawClient, replyOf } from "./raw-client.ts";

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
