// The contenders. Each has its own page, which reads its options from the URL, answers a short first request and then waits for more.

const umpire = (options) => ({ page: "umpire", options });
const peer = (options) => ({ page: "peer", options });

/** The contenders on wasm. The peer's default is q8; fp32 is the exported model without changes. */
export const onWasm = (threads) => ({
  umpire: umpire({ device: "wasm", threads }),
  "umpire fp32": umpire({ device: "wasm", threads, precision: "fp32" }),
  peer: peer({ device: "wasm", threads, dtype: "fp32" }),
  "peer q8": peer({ device: "wasm", threads, dtype: "q8" }),
});

export const onWebgpu = { umpire: umpire({ device: "webgpu" }), peer: peer({ device: "webgpu", dtype: "fp32" }) };

export const visitors = {
  umpire: umpire({ device: "wasm" }),
  "umpire, device auto": umpire({}),
  "peer q8": peer({ device: "wasm", dtype: "q8" }),
  peer: peer({ device: "wasm", dtype: "fp32" }),
};

/**
 * Opens a contender's page in a new tab.
 * @returns {Promise<{ page: import("playwright-core").Page, first: { at: Record<string, number>, info: object }, ask: (workload: object) => Promise<number>, close: () => Promise<void> }>}
 *   `first.at`: the page's age in ms at each stage up to its first answer; `ask`: returns the time of one answer in ms
 */
export async function visit(browser, site, { page: name, options }) {
  const page = await browser.newPage();
  await page.goto(`${site.origin}/bench/${name}.html#${encodeURIComponent(JSON.stringify(options))}`);
  await page.waitForFunction(() => "first" in globalThis);
  const first = await page.evaluate(() => globalThis.first);
  return { page, first, ask: (workload) => page.evaluate((asked) => globalThis.ask(asked), workload), close: () => page.close() };
}
