// @ts-check
import { hostDecider } from "./decider-host.js";

/** Chromium never closes an offscreen document. A loaded model takes about 150 MB of memory, and half a second to load again. */
const IDLE_MS = 5 * 60_000;

hostDecider({ idleMs: IDLE_MS, onIdle: () => window.close() });
