import { createDecider } from "umpire";
import { expect, it } from "vitest";
import { DEVICES } from "../../src/library/engine/devices.ts";
import { NODE_DEVICES } from "../../src/library/platform/platform.ts";

it.each(NODE_DEVICES)("the device %s of Node answers when it is asked for, in its first precision", async (device) => {
  await using decider = createDecider({ device, threads: 1 });
  expect(await decider.info()).toMatchObject({ device, precision: DEVICES[device].precisions[0] });
});
