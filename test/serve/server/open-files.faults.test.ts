import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyFromSecret } from "umpire/serve";
import { expect, test } from "vitest";
import { affordableConnections, openFiles, softLimit } from "../../../src/serve/server/open-files.ts";
import { requestAbout } from "../running.ts";
import { ServerProcess, freeFixedPort } from "../server-process.ts";
import { rawClient, replyOf } from "./raw-client.ts";

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max processes             30000                40000                processes
Max open files            1024                 524288               files
`;

test.each([
  ["the soft limit counts", LIMITS, 1024],
  ["a limit that is none", LIMITS.replace("1024  ", "unlimited"), undefined],
  ["a system that does not say", "", undefined],
])("%s", (_, text, limit) => {
  expect(softLimit(text)).toBe(limit);
});

test.skipIf(process.platform !== "linux")(
  "connections get what the limit leaves beside what is open and a reserve, but at least one",
  () => {
    const open = openFiles();
    expect(open).toBeGreaterThan(3);
    const left = affordableConnections(open + 100);
    expect(left).toBeGreaterThan(50);
    expect(left).toBeLessThan(100);
    expect(affordableConnections(10)).toBe(1);
  },
);

test("without a limit there is none for connections", () => {
  expect(affordableConnections(undefined)).toBeGreaterThanOrEqual(1);
});

test.skipIf(process.platform !== "linux")(
  "with 80 descriptors and 100 idle connections, keys are still followed and metrics read",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "umpire-descriptors-"));
    const keyFile = join(folder, "keys.json");
    const key = await keyFromSecret("shop", "secret");
    await writeFile(keyFile, JSON.stringify({ keys: [key] }));
    const port = await freeFixedPort();
    const server = await ServerProcess.start(port, ["--keys", keyFile], ["sh", "-c", 'ulimit -n 80; exec "$0" "$@"']);
    try {
      const client = await rawClient(port);
      const ask = async (request: string): Promise<string> => {
        client.forget();
        client.write(request);
        return client.until(/\r\n\r\n[^]*[}\n]$/u);
      };
      const body = JSON.stringify(requestAbout("late"));
      const decide = `POST /decision/v1/model HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      expect(replyOf(await ask(decide)).status).toBe(200);
      const idle = await Promise.all(Array.from({ length: 100 }, () => rawClient(port)));
      expect(server.log.join()).toContain("fewer connections than usual");
      expect(await ask("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")).toMatch(/^process_max_fds 80$/mu);
      await writeFile(keyFile, JSON.stringify({ keys: [] }));
      await expect.poll(async () => replyOf(await ask(decide)).status).toBe(401);
      for (const { socket } of [client, ...idle]) socket.destroy();
    } finally {
      await server.end("SIGTERM");
      await rm(folder, { recursive: true });
    }
  },
);
