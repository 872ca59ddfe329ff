import type { Device } from "../../engine/engine.ts";

/** Devices that Node has; `auto` takes the first whose runtime loads. */
export const NODE_DEVICES = ["cpu", "wasm"] as const satisfies readonly Device[];

export type NodeDevice = (typeof NODE_DEVICES)[number];
