import { describe, expect, it } from "vitest";
import { DEVICES, checkPrecision } from "../../../src/library/engine/devices.ts";
import type { Device } from "../../../src/library/engine/engine.ts";

const names = Object.keys(DEVICES) as Device[];

describe("the table of devices", () => {
  it.each(names)("has arithmetic for %s, and no fallback to itself", (device) => {
    const { precisions, fallback } = DEVICES[device];
    expect(new Set(precisions).size).toBe(precisions.length);
    for (const precision of precisions) checkPrecision(device, precision);
    expect(fallback).not.toBe(device);
  });

  it("falls back to devices that fail for no driver's sake", () => {
    for (const { fallback } of Object.values(DEVICES)) if (fallback !== undefined) expect(DEVICES[fallback].hasDriver).toBeUndefined();
  });

  it("says which arithmetic a device has", () => {
    expect(() => {
      checkPrecision("cpu", "fp16");
    }).toThrow(
      expect.objectContaining({
        code: "backend_unavailable",
        message: "The device cpu does not have fp16. Use one of: int8, fp32.",
      }) as Error,
    );
  });
});
