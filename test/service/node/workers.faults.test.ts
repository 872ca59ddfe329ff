import { expect, it } from "vitest";
import { ServerProcess, freeFixedPort } from "./server-process.ts";

it("umpire serve --workers 2 starts two workers", async () => {
  const server = await ServerProcess.start(await freeFixedPort(), ["--workers", "2"]);
  const metrics = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();
  // The second worker loads after the first has answered.
  await expect.poll(metrics).toContain("umpire_workers_started_total 2\n");
  expect(await server.end("SIGTERM")).toBe(0);
});
