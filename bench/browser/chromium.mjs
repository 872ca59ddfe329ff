// Starts Chromium as the tests do.
import { chromium } from "playwright-core";
import { chromiumPath, flags } from "../../test/browser/support/chromium-options.mjs";

const options = (webgpu) => ({ executablePath: chromiumPath(), args: flags(webgpu) });

/** @param {{ webgpu?: boolean }} [wish] with a software adapter for WebGPU, or with none */
export const launchChromium = ({ webgpu = false } = {}) => chromium.launch(options(webgpu));

/** A browser whose profile is `folder`: what it keeps from visit to visit lies there. */
export const launchWithProfile = (folder) => chromium.launchPersistentContext(folder, options(false));
