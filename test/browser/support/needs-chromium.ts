import { chromiumPath } from "./chromium-options.mjs";

/** Fails once, before any test, if there is no browser, with instructions for installing one. */
export default function needsChromium(): void {
  chromiumPath();
}
