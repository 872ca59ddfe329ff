import { chromium } from "playwright-core";
import type { Browser, BrowserContext } from "playwright-core";
import { chromiumPath, flags } from "./chromium-options.mjs";

export interface LaunchOptions {
  /** Whether to add a software adapter for WebGPU. */
  readonly webgpu?: boolean;
  readonly args?: readonly string[];
}

export function launchChromium({ webgpu = false, args = [] }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: [...flags(webgpu), ...args] });
}

/** Starts a browser with its own profile in `folder` and an unpacked extension. */
export function launchWithExtension(folder: string, extension: string, more: readonly string[] = []): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, {
    executablePath: chromiumPath(),
    // The new headless mode of the regular browser. The old one has no extensions.
    headless: false,
    args: ["--headless=new", ...flags(false), `--disable-extensions-except=${extension}`, `--load-extension=${extension}`, ...more],
  });
}
