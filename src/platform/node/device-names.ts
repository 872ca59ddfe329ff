import type { Device } from "../../engine/engine.ts";

/** Devices that Node has; `auto` takes the first whose runtime loads. */
export const NODE_DEVICES = ["cpu", "wasm"] as const satisfies readonly Device[];

/** The reason of a device that the caller named. */
export const ASKED_FOR = "asked for";

export type NodeDevice = (typeof NODE_DEVICES)[number];
