import { existsSync } from "node:fs";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext } from "playwright-core";

const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/snap/bin/chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:/Program Files/Google/Chrome/Application/chrome.exe",
];

/** @throws {Error} that says how to get one, when there is none. */
export function chromiumPath(): string {
  const path = process.env["CHROME_PATH"] ?? USUAL_PLACES.find((place) => existsSync(place));
  if (path !== undefined && existsSync(path)) return path;
  const tried = path === undefined ? `It was looked for in ${USUAL_PLACES.join(", ")}.` : `CHROME_PATH names ${path}, where there is none.`;
  throw new Error(
    `These tests need Chromium or Chrome. ${tried} Install one (on Debian: apt-get install chromium), or say where it is: CHROME_PATH=<file>.`,
  );
}

/** What a browser must not do on its own while requests are counted. */
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

export interface LaunchOptions {
  /** With a software adapter for WebGPU, or with none. */
  readonly webgpu?: boolean;
  readonly args?: readonly string[];
}

export function launchChromium({ webgpu = false, args = [] }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: [...QUIET, ...(webgpu ? SOFTWARE_WEBGPU : ["--disable-gpu"]), ...args] });
}

/** A browser with a profile of its own in `folder`, with an unpacked extension in it. */
export function launchWithExtension(folder: string, extension: string, more: readonly string[] = []): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    // The browser that people use, without its window: the other headless one has no extensions.
    headless: false,
    args: [
      "--headless=new",
      ...QUIET,
      "--disable-gpu",
      `--disable-extensions-except=${extension}`,
      `--load-extension=${extension}`,
      ...more,
    ],
  });
}
