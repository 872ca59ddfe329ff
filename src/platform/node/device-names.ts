import type { Device } from "../../engine/engine.ts";

/** Devices that Node has; `auto` takes the first. */
export const NODE_DEVICES = ["cpu"] as const satisfies readonly Device[];
