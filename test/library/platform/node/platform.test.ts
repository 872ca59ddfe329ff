import { beforeEach, describe, expect, it, vi } from "vitest";
import { EnginePool } from "../../../../src/library/decider/engine-pool.ts";
import { fallbackWarning } from "../../../../src/library/platform/node/platform.ts";
import { fakeEngine, fakePlatform } from "../../../support/fake-engine.ts";

const FELL_BACK = { device: "wasm", deviceReason: "cpu would be faster, but it is not installed. Install it." } as const;

/** What `process.emitWarning` was given. */
let warnings: unknown[][];
beforeEach(() => {
  warnings = [];
  vi.spyOn(process, "emitWarning").mockImplementation((...args: unknown[]) => void warnings.push(args));
});

describe("the warning that the model runs on wasm", () => {
  it("says once why, what to do, and how to have none", () => {
    const warn = fallbackWarning();
    warn(FELL_BACK);
    warn(FELL_BACK);
    const message =
      'umpire: the model runs on wasm. cpu would be faster, but it is not installed. Install it. With the option device: "wasm" there is no warning.';
    expect(warnings).toEqual([[message, { code: "UMPIRE_WASM_FALLBACK" }]]);
  });

  it.each([
    ["where wasm was asked for", { device: "wasm", deviceReason: "asked for" }],
    ["on another device", { device: "cpu", deviceReason: "Node's fastest device" }],
  ] as const)("is not given %s", (_, info) => {
    fallbackWarning()(info);
    expect(warnings).toEqual([]);
  });

  it("is given when an engine has loaded, not before", async () => {
    const options = { device: "auto", precision: undefined, threads: 1, assets: undefined, onProgress: undefined, inline: true } as const;
    const loadInline = (): Promise<ReturnType<typeof fakeEngine>> => Promise.resolve(fakeEngine({ info: FELL_BACK }));
    const slot = new EnginePool(fakePlatform({ loadInline, onLoaded: fallbackWarning() }), "", options);
    expect(warnings).toEqual([]);
    await slot.info();
    expect(warnings).toHaveLength(1);
  });
});
