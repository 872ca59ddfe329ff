// @ts-check
import { hostDecider } from "./decider-host.js";

/** Chromium keeps an offscreen document for ever. A loaded model takes some 150 MB of memory, and half a second to load again. */
const IDLE_MS = 5 * 60_000;

hostDecider({ idleMs: IDLE_MS, onIdle: () => window.close() });
