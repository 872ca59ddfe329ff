import { chromium } from "playwright-core";
import type { Browser, BrowserContext } from "playwright-core";
import { chromiumPath, flags } from "./chromium-options.mjs";

export interface LaunchOptions {
  /** With a software adapter for WebGPU, or with none. */
  readonly webgpu?: boolean;
  readonly args?: readonly string[];
}

export function launchChromium({ webgpu = false, args = [] }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: [...flags(webgpu), ...args] });
}

/** A browser with a profile of its own in `folder`, with an unpacked extension in it. */
export function launchWithExtension(folder: string, extension: string, more: readonly string[] = []): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    // The browser that people use, without its window: the other headless one has no extensions.
    headless: false,
    args: ["--headless=new", ...flags(false), `--disable-extensions-except=${extension}`, `--load-extension=${extension}`, ...more],
  });
}
