// Starts Chromium, found where it usually is.
import { existsSync } from "node:fs";
import { chromium } from "playwright-core";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/** What a browser must not do on its own while it is timed. */
const QUIET = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** WebGPU without a GPU: an adapter that computes on the processor. */
const SOFTWARE_WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];

function chromiumPath() {
  const path = process.env.CHROME_PATH ?? USUAL_PLACES.find((place) => existsSync(place));
  if (path !== undefined && existsSync(path)) return path;
  const tried = path === undefined ? `It was looked for in ${USUAL_PLACES.join(", ")}.` : `CHROME_PATH names ${path}, where there is none.`;
  throw new Error(
    `This benchmark needs Chromium or Chrome. ${tried} Install one (on Debian: apt-get install chromium), or say where it is: CHROME_PATH=<file>.`,
  );
}

const options = (webgpu) => ({ executablePath: chromiumPath(), args: [...QUIET, ...(webgpu ? SOFTWARE_WEBGPU : ["--disable-gpu"])] });

/** @param {{ webgpu?: boolean }} [wish] with a software adapter for WebGPU, or with none */
export const launchChromium = ({ webgpu = false } = {}) => chromium.launch(options(webgpu));

/** A browser whose profile is `folder`: what it keeps from visit to visit lies there. */
export const launchWithProfile = (folder) => chromium.launchPersistentContext(folder, options(false));
