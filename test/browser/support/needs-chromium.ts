import { chromiumPath } from "./chromium-options.mjs";

/** Says once, before any test, that there is no browser and how to get one. */
export default function needsChromium(): void {
  chromiumPath();
}
