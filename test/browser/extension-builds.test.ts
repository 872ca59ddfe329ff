import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { tempDir } from "../support/temp-dir.ts";
import { EXAMPLE_PAGES } from "./support/example-pages.ts";
import { buildExtension, ExtensionBrowser, troubleOf, verdictsOf } from "./support/extension.ts";
import { Site } from "./support/site.ts";

/** Manifest keys that both browsers know. */
const SHARED_KEYS = [
  "manifest_version",
  "name",
  "version",
  "description",
  "icons",
  "permissions",
  "action",
  "commands",
  "options_ui",
  "background",
  "content_security_policy",
];

/** The keys and permissions that our manifests may have for each browser. A host permission would be a key of its own. */
const BROWSERS = {
  chromium: {
    keys: ["minimum_chrome_version", "cross_origin_embedder_policy", "cross_origin_opener_policy"],
    permissions: ["activeTab", "scripting", "offscreen", "storage"],
  },
  firefox: { keys: ["browser_specific_settings"], permissions: ["activeTab", "scripting", "storage"] },
} as const;

const folder = tempDir();
beforeAll(() => {
  for (const name of ["chromium", "firefox"] as const) buildExtension(name, join(folder, name));
});

describe.each(["chromium", "firefox"] as const)("the extension built for %s", (name) => {
  const built = join(folder, name);

  it("asks for the minimum of permissions, with keys that this browser knows", () => {
    const manifest = manifestOf(built);
    expect(manifest["permissions"]).toEqual(BROWSERS[name].permissions);
    expect([...SHARED_KEYS, ...BROWSERS[name].keys]).toEqual(expect.arrayContaining(Object.keys(manifest)));
    expect(manifest["content_security_policy"]).toEqual({
      // With this policy the browser itself blocks all requests by the extension.
      extension_pages: "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'",
    });
    expect(manifest).toMatchObject({ manifest_version: 3, version: packageJson.version });
  });

  it("has every file that its manifest, its pages and its scripts name", () => {
    const texts = readdirSync(built).filter((file) => /\.(?:html|js|json)$/.test(file) && file !== "index.browser.js");
    const named = texts.flatMap((file) => {
      const text = readFileSync(join(built, file), "utf8");
      return [...text.matchAll(/(?:"|from "\.\/)([\w.-]+\.(?:html|css|js))"/g)].flatMap(([, other]) => other ?? []);
    });
    expect(new Set(named).size).toBeGreaterThan(15);
    for (const file of named) expect(existsSync(join(built, file)), file).toBe(true);
    // And no unused files.
    const unnamed = readdirSync(built).filter((file) => !named.includes(file));
    const papers = ["LICENSE", "NOTICE", "THIRD_PARTY_LICENSES.txt", "index.browser.js.LEGAL.txt"];
    expect(unnamed.sort()).toEqual([...papers, "icons", "manifest.json", "umpire"].sort());
  });

  it("has an icon in every size, for the toolbar, too", () => {
    const manifest = manifestOf(built) as { icons: Readonly<Record<string, string>>; action: { default_icon: unknown } };
    expect(Object.keys(manifest.icons)).toEqual(["16", "32", "48", "128"]);
    expect(manifest.action.default_icon).toEqual(manifest.icons);
    for (const [size, file] of Object.entries(manifest.icons)) {
      const png = readFileSync(join(built, file));
      expect(png.subarray(1, 4).toString()).toBe("PNG");
      // The header's width and height.
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([Number(size), Number(size)]);
    }
  });

  it("has the library's files for wasm, and not the 17 MB for other devices", () => {
    const files = readdirSync(join(built, "umpire"), { recursive: true, encoding: "utf8" });
    expect(files).toEqual(expect.arrayContaining(["worker.js", "ort-wasm-simd-threaded.wasm"]));
    expect(files.filter((file) => /jspi|\.map$|webgpu|fp32/.test(file))).toEqual([]);
  });
});

describe("Firefox's manifest", () => {
  it("has an id and a minimum version, and declares that it collects no data", () => {
    const manifest = manifestOf(join(folder, "firefox"));
    expect(manifest["browser_specific_settings"]).toEqual({
      gecko: {
        id: expect.stringMatching(/^[\w.-]+@[\w.-]+$/) as unknown,
        strict_min_version: expect.stringMatching(/^\d+\.\d+$/) as unknown,
        data_collection_permissions: { required: ["none"] },
      },
    });
    // Firefox has module workers since 114 and module scripts in the background since 112.
    expect(JSON.stringify(manifest)).toMatch(/"strict_min_version":"1[2-9]\d\.0"/);
    expect(manifest["background"]).toEqual({ scripts: ["background.firefox.js"], type: "module" });
  });
});

describe("Firefox's background page, in a tab of Chromium", () => {
  const built = join(folder, "firefox");
  let site: Site;
  let browser: ExtensionBrowser;
  beforeAll(async () => {
    site = await Site.start({ pages: EXAMPLE_PAGES, isolated: false });
    // Chromium does not accept `background.scripts`.
    writeFileSync(join(built, "manifest.json"), JSON.stringify({ ...manifestOf(built), background: undefined }));
    writeFileSync(join(built, "background.html"), '<script type="module" src="background.firefox.js"></script>');
    browser = await ExtensionBrowser.start(built);
    await (await browser.context.newPage()).goto(browser.url("background.html"));
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it("explains what is wrong with a damaged model, and answers once it is repaired", async () => {
    const [id = ""] = readdirSync(join(built, "umpire/models"));
    const weights = join(built, "umpire/models", id, "weights.bin");
    const whole = readFileSync(weights);
    writeFileSync(weights, new Uint8Array(whole.length));
    const page = await browser.context.newPage();
    await page.goto(`${site.origin}/login`);
    const popup = await browser.click(page);
    const trouble = await troubleOf(popup);
    expect(trouble).toContain("model_invalid");
    expect(trouble).toContain("weights.bin");
    writeFileSync(weights, whole);
    await popup.click("#again");
    expect(await verdictsOf(popup)).toMatchObject({ "What kind of page is this?": "login form" });
    await popup.close();
  });
});

function manifestOf(built: string): Readonly<Record<string, unknown>> {
  return JSON.parse(readFileSync(join(built, "manifest.json"), "utf8")) as Readonly<Record<string, unknown>>;
}
