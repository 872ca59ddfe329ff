import { expect, test } from "vitest";
import { connectRedis } from "../../../../src/tools/run/queue/chunk-queue.ts";
import { badInput } from "../../../../src/tools/tool-error.ts";

test.each(["127.0.0.1:6379", "http://127.0.0.1:6379", "redis://"])("a URL that is no Redis is bad input: %s", async (url) => {
  await expect(connectRedis(url, () => undefined)).rejects.toThrow(
    badInput("--queue must be the URL of a Redis: redis://user:password@host:6379/0, or rediss:// for TLS."),
  );
});
