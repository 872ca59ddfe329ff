import { chromiumPath } from "./chromium.ts";

/** Says once, before any test, that there is no browser and how to get one. */
export default function needsChromium(): void {
  chromiumPath();
}
