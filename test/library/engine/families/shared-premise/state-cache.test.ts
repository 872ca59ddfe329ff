import { describe, expect, it } from "vitest";
import { StateCache } from "../../../../../src/library/engine/families/shared-premise/state-cache.ts";

interface State {
  readonly name: string;
  readonly bytes: number;
}

function cacheOf(limitBytes: number): { cache: StateCache<State>; freed: string[]; read: (name: string, bytes?: number) => void } {
  const freed: string[] = [];
  const cache = new StateCache<State>(limitBytes, ({ name }) => void freed.push(name));
  /** A call that reads a state, or finds it. */
  const read = (name: string, bytes = 10): void => {
    (cache.find(name) ?? cache.add(name, { name, bytes })).leave();
  };
  return { cache, freed, read };
}

describe("states that were read", () => {
  it("stay up to the limit, and those used last stay longest", () => {
    const { cache, freed, read } = cacheOf(30);
    for (const name of ["a", "b", "c", "a", "d"]) read(name);
    expect(freed).toEqual(["b"]);
    expect(cache.kept()).toEqual({ heldBytes: 0, cachedBytes: 30, cacheBytes: 30 });
  });

  it("do not stay if one alone is larger than the limit, and then cost the others nothing", () => {
    const { freed, read } = cacheOf(30);
    read("a");
    read("huge", 31);
    read("a");
    expect(freed).toEqual(["huge"]);
  });

  it("do not stay at all with a limit of 0", () => {
    const { cache, freed, read } = cacheOf(0);
    read("a");
    expect([freed, cache.kept().cachedBytes]).toEqual([["a"], 0]);
  });

  it("are not freed while a call uses them, and only then once", () => {
    const { cache, freed, read } = cacheOf(10);
    const first = cache.add("a", { name: "a", bytes: 10 });
    const second = cache.find("a");
    read("b");
    cache.forget();
    first.leave();
    cache.forget();
    expect(freed).toEqual(["b"]);
    second?.leave();
    cache.forget();
    expect(freed).toEqual(["b", "a"]);
  });

  it("are read by two calls at one time as one: the second is freed at once", () => {
    const { cache, freed } = cacheOf(10);
    const first = cache.add("a", { name: "first", bytes: 10 });
    const second = cache.add("a", { name: "second", bytes: 10 });
    expect(second.state).toBe(first.state);
    expect(freed).toEqual(["second"]);
  });

  it("stay under any pressure while they are held, however often, and do not count against the limit", () => {
    const { cache, freed, read } = cacheOf(20);
    const use = cache.add("held", { name: "held", bytes: 50 });
    const releases = [cache.hold("held"), cache.hold("held")];
    use.leave();
    for (const name of ["a", "b", "c"]) read(name);
    cache.forget();
    expect(freed).toEqual(["a", "c", "b"]);
    releases[0]?.();
    expect(cache.kept()).toEqual({ heldBytes: 50, cachedBytes: 0, cacheBytes: 20 });
    releases[1]?.();
    expect(freed).toEqual(["a", "c", "b", "held"]);
  });

  it("are all freed at the end, held or not", () => {
    const { cache, freed, read } = cacheOf(20);
    cache.add("held", { name: "held", bytes: 5 });
    cache.hold("held");
    read("a");
    cache.clear();
    expect(freed).toEqual(["held", "a"]);
  });
});
