/** Devices that a browser has. Both sides know the names; what a device needs is the worker's business (devices/devices.ts). */
export const BROWSER_DEVICES = ["webgpu", "wasm"] as const;

export type BrowserDevice = (typeof BROWSER_DEVICES)[number];
