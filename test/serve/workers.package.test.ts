import { expect, it } from "vitest";
import { LONG_STATE, requestAbout } from "./running.ts";
import { ServerProcess, freeFixedPort } from "./server-process.ts";

it("a server of two workers answers two requests at the same time, and a third after them", async () => {
  const server = await ServerProcess.start(await freeFixedPort(), ["--workers", "2"]);
  const ask = async (state: string): Promise<number> => {
    const body = JSON.stringify(requestAbout(state));
    const headers = { "content-type": "application/json" };
    return (await fetch(`${server.url}/decision/v1/model`, { method: "POST", headers, body })).status;
  };
  const load = async (): Promise<string[]> => {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    return metrics.split("\n").filter((line) => /^umpire_requests_(?:running|waiting) /u.test(line));
  };
  const seen: string[] = [];
  const once = async (): Promise<string[]> => {
    const asked = Promise.all([1, 2, 3].map((at) => ask(`${at} ${LONG_STATE}`)));
    // While they run, which is a second or more.
    for (let i = 0; i < 20; i++) seen.push((await load()).sort().join(", "));
    expect(await asked).toEqual([200, 200, 200]);
    return seen;
  };
  // The second worker loads after the first has answered.
  await expect.poll(once, { timeout: 60_000 }).toContain("umpire_requests_running 2, umpire_requests_waiting 1");
  expect(seen.some((line) => line.includes("running 3"))).toBe(false);
  expect(await server.end("SIGTERM")).toBe(0);
});
