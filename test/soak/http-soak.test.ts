import { describe, expect, it } from "vitest";
import { runScript } from "../support/child-program.ts";

interface Stream {
  readonly name: string;
  readonly sent: number;
  readonly statuses: { readonly [status: string]: number };
  readonly withoutRetryAfter: number;
}

interface Soak {
  readonly statuses: { readonly [status: string]: number };
  readonly results: readonly Stream[];
  readonly left: { readonly waiting: number; readonly running: number };
  readonly exitCode: number;
}

/** Checks what must hold on any machine. The long run (npm run soak:http) on an idle machine also checks times and memory. */
describe.skipIf(process.platform !== "linux")("the service at four times its capacity", () => {
  it("refuses the excess with 429, serves light keys next to a flooding one, and leaves nothing behind", async () => {
    const args = ["--requests", "150", "--times", "4", "--deadline-requests", "30", "--json"];
    const { stdout, stderr } = await runScript("test/soak/http-soak.mjs", { args, timeoutMs: 880_000 });
    expect(stderr).toBe("");
    const { statuses, results, left, exitCode } = JSON.parse(stdout) as Soak;
    expect(Object.keys(statuses)).toEqual(["200", "429"]);
    const servedShare = ({ statuses, sent }: Stream): number => (statuses["200"] ?? 0) / sent;
    const shares = Object.fromEntries(results.map((stream) => [stream.name, servedShare(stream)]));
    // Nearly all requests of a light key are served, whatever the flooding key does, because it asks for less than its fair third.
    expect(Math.min(shares["light-1"] ?? 0, shares["light-2"] ?? 0)).toBeGreaterThan(0.8);
    expect(shares["flooding"]).toBeLessThan(0.8);
    for (const { withoutRetryAfter } of results) expect(withoutRetryAfter).toBe(0);
    expect({ left, exitCode }).toEqual({ left: { waiting: 0, running: 0 }, exitCode: 0 });
  });
});
