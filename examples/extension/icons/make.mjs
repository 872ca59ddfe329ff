// Draws icon.svg as PNG files in the sizes that Chromium asks for.
//   node examples/extension/icons/make.mjs
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { chromiumPath, flags } from "../../../test/browser/support/chromium-options.mjs";

const SIZES_PX = [16, 32, 48, 128];

const svg = await readFile(new URL("icon.svg", import.meta.url), "utf8");
const browser = await chromium.launch({ executablePath: chromiumPath(), args: flags(false) });
const page = await browser.newPage();
for (const size of SIZES_PX) {
  await page.setViewportSize({ width: size, height: size });
  await page.setContent(`<style>body { margin: 0 } svg { display: block; width: ${size}px; height: ${size}px }</style>${svg}`);
  await page.screenshot({ path: fileURLToPath(new URL(`icon-${size}.png`, import.meta.url)), omitBackground: true });
}
await browser.close();
