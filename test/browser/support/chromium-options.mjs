// Finds Chromium and its options, for tests and benchmarks.
import { existsSync } from "node:fs";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/** @throws {Error} if there is none, with instructions for installing one */
export function chromiumPath() {
  const path = process.env.CHROME_PATH ?? USUAL_PLACES.find((place) => existsSync(place));
  if (path !== undefined && existsSync(path)) return path;
  const tried = path === undefined ? `It was looked for in ${USUAL_PLACES.join(", ")}.` : `CHROME_PATH names ${path}, where there is none.`;
  throw new Error(
    `This needs Chromium or Chrome. ${tried} Install one (on Debian: apt-get install chromium), or say where it is: CHROME_PATH=<file>.`,
  );
}

/** Switches off what the browser does on its own, which would disturb the counting of requests and the measuring of times. */
const QUIET = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** WebGPU without a GPU, on a software adapter. */
const SOFTWARE_WEBGPU = ["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];

/** @param {boolean} webgpu whether to add a software adapter for WebGPU */
export const flags = (webgpu) => [...QUIET, ...(webgpu ? SOFTWARE_WEBGPU : ["--disable-gpu"])];
