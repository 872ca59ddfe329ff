// Starts Chromium with the same options as the tests.
import { chromium } from "playwright-core";
import { chromiumPath, flags } from "../../test/browser/support/chromium-options.mjs";

const options = (webgpu) => ({ executablePath: chromiumPath(), args: flags(webgpu) });

/** @param {{ webgpu?: boolean }} [wish] `webgpu`: with a software adapter for WebGPU */
export const launchChromium = ({ webgpu = false } = {}) => chromium.launch(options(webgpu));

/** Starts a browser that keeps its cache and other data in `folder`. */
export const launchWithProfile = (folder) => chromium.launchPersistentContext(folder, options(false));
