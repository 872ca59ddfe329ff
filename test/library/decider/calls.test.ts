import { describe, expect, it } from "vitest";
import { Calls } from "../../../src/library/decider/create-decider.ts";
import { DecideError } from "../../../src/errors.ts";

describe("pending calls", () => {
  it("are counted until they settle, whatever becomes of them", async () => {
    const calls = new Calls(10);
    let finish: () => void = () => undefined;
    const one = calls.run(undefined, () => new Promise<void>((resolve) => (finish = resolve)));
    const other = calls.run(undefined, () => Promise.reject(new DecideError("internal", "no")));
    expect(calls.pending).toBe(2);
    await expect(other).rejects.toThrow("no");
    expect(calls.pending).toBe(1);
    finish();
    await one;
    expect(calls.pending).toBe(0);
  });

  it("are limited in number", () => {
    const calls = new Calls(1);
    calls.refuseIfFull();
    void calls.run(undefined, () => new Promise(() => undefined));
    expect(() => {
      calls.refuseIfFull();
    }).toThrow(
      expect.objectContaining({ code: "overloaded", message: expect.stringContaining("1 calls wait or run already") as string }) as Error,
    );
  });

  it("are waited for, those that fail included", async () => {
    const calls = new Calls(10);
    const failing = calls.run(undefined, () => new Promise((_, reject) => setTimeout(reject, 5, new Error("no")))).catch(() => "failed");
    await calls.settled();
    expect(calls.pending).toBe(0);
    expect(await failing).toBe("failed");
  });
});
