import { describe, expect, it } from "vitest";
import { DecideError } from "../../../src/errors.ts";
import { Calls, deciderOn } from "../../../src/library/decider/create-decider.ts";
import type { Platform } from "../../../src/library/platform/platform.ts";
import type { Decider } from "../../../src/public.ts";
import { fakeDecider, PACK, platformOfOne } from "../../support/fake-decider.ts";
import { fakeEngine } from "../../support/fake-engine.ts";
import { decideError, rejection } from "../../support/rejection.ts";

const REQUEST = { state: "It rained.", questions: { wet: { type: "noul", instructions: "Is it wet?" } } } as const;

/** A platform with one model, whose engine never answers. */
const platform = (): Platform => platformOfOne({ loadInline: () => Promise.resolve(fakeEngine()) });

describe("a decider as full as it may be", () => {
  const full = (): Decider => {
    const decider = fakeDecider(fakeEngine(), { maxPending: 1 });
    decider.decide(REQUEST).catch(() => undefined);
    return decider;
  };

  it("refuses another call at once", async () => {
    expect((await decideError(() => full().decide(REQUEST))).code).toBe("overloaded");
  });

  it("still says what is wrong with an invalid request, which no waiting mends", async () => {
    expect((await decideError(() => full().decide({ state: "s" } as never))).code).toBe("invalid_request");
  });

  it("still lists its models and counts its calls", async () => {
    const decider = full();
    const { id, description, releaseDate } = PACK;
    expect(await decider.models()).toEqual([{ id, description, releaseDate, isDefault: true }]);
    expect(decider.stats()).toEqual({ pendingCalls: 1, workers: 1, workersStarted: 0 });
  });
});

describe("a decider", () => {
  it("refuses a call before it reads the request, once its signal or the call's is aborted", async () => {
    const unread = new Proxy(REQUEST, {
      get: () => {
        throw new Error("it was read");
      },
    });
    const reason = new Error("enough");
    const decider = fakeDecider(fakeEngine());
    expect(await rejection(() => decider.decide(unread, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    const ended = fakeDecider(fakeEngine(), { signal: AbortSignal.abort(reason) });
    expect(await rejection(() => ended.decide(unread))).toBe(reason);
  });

  it("refuses a device that its platform does not have, with those that it has", async () => {
    const decider = fakeDecider(fakeEngine(), { device: "webgpu" });
    const error = await decideError(() => decider.decide(REQUEST));
    expect(error).toMatchObject({
      code: "backend_unavailable",
      message: 'device must be "auto" or "cpu" on this platform, but is "webgpu".',
    });
  });

  it.each([undefined, "latest", PACK.id])("finds its built-in model (%j) without looking where the user keeps others", async (model) => {
    const asked: string[] = [];
    const loadInline = (url: string): Promise<never> => {
      asked.push(url);
      return Promise.reject(new Error("loaded"));
    };
    const catalogue = (): Promise<never> => Promise.reject(new Error("the folder is broken"));
    const decider = deciderOn({ ...platform(), catalogue, loadInline }, { inline: true });
    await decideError(() => decider.decide({ ...REQUEST, ...(model !== undefined && { model }) }));
    expect(asked).toEqual([PACK.url]);
  });

  it("turns an unknown failure into an internal error, with its cause", async () => {
    const broken = { ...platform(), builtIn: () => Promise.reject(new Error("no disk")) };
    const error = await decideError(() => deciderOn(broken, { inline: true }).decide(REQUEST));
    expect(error).toMatchObject({ code: "internal", cause: new Error("no disk") });
  });
});

describe("a pause of a decider", () => {
  it("gives calls that are made in it a higher priority than those before", async () => {
    const log: string[] = [];
    const engine = fakeEngine({
      score: ({ priority }) => {
        log.push(`call ${priority}`);
        return new Promise(() => undefined);
      },
      pause: (priority) => {
        log.push(`pause ${priority}`);
        return Promise.resolve(() => void log.push(`end ${priority}`));
      },
    });
    const decider = fakeDecider(engine);
    // Before anything is loaded, there is nothing to pause.
    (await decider.pause())();
    await decider.info();
    const calls = [decider.decide(REQUEST)];
    const ends = [await decider.pause()];
    calls.push(decider.decide(REQUEST));
    ends.push(await decider.pause());
    for (const end of ends.reverse()) end();
    calls.push(decider.decide(REQUEST));
    for (const call of calls) call.catch(() => undefined);
    await expect.poll(() => log).toHaveLength(7);
    expect(log.filter((line) => line.startsWith("call"))).toEqual(["call 0", "call 1", "call 0"]);
    expect(log.filter((line) => !line.startsWith("call"))).toEqual(["pause 1", "pause 2", "end 2", "end 1"]);
  });
});

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
