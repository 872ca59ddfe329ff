import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keyFromSecret } from "umpire/serve";
import { expect, test } from "vitest";
import { tempDir } from "../../../support/temp-dir.ts";
import { requestAbout } from "../running.ts";
import { ServerProcess, freeFixedPort } from "../server-process.ts";
import { rawClient, replyOf } from "./raw-client.ts";

test.skipIf(process.platform !== "linux")(
  "with 80 descriptors and 100 idle connections, keys are still followed and metrics read",
  async () => {
    const keyFile = join(tempDir(), "keys.json");
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
    }
  },
);
