import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { QUESTION_TYPES } from "../../src/library/decide/questions/question-kinds.ts";
import { DEVICES } from "../../src/library/engine/devices.ts";
import type { Device } from "../../src/library/engine/engine.ts";
import { filesFor, parseManifest } from "../../src/library/engine/families/families.ts";
import { FAMILY_NAMES } from "../../src/library/engine/families/manifests.ts";
import { DEFAULT_LIMITS } from "../../src/service/handler/limits.ts";
import { ROUTES } from "../../src/service/handler/observation.ts";
import { openApiDocument } from "../../src/service/wires/openapi.ts";
import { BROWSER_DEVICES, NODE_DEVICES } from "../../src/library/platform/platform.ts";
import { PACKAGE_ROOT, PACK_URL } from "../support/package-root.ts";

/** The lists of CONTRIBUTING.md, "Adding a ...": what the compiler does not name of them. */

const read = (path: string): Promise<string> => readFile(new URL(path, PACKAGE_ROOT), "utf8");
/** Files of tests, wherever they belong. */
const TESTS = /^[\w-]+(?:\.package|\.faults)?\.test\.ts$/u;
const namesIn = async (folder: string): Promise<string[]> => readdir(new URL(folder, PACKAGE_ROOT));

describe.each(QUESTION_TYPES)("the question type %s", (type) => {
  it("is in the OpenAPI document, asked and answered", () => {
    const { components } = openApiDocument({
      basePath: "",
      version: "0",
      limits: DEFAULT_LIMITS,
      authentication: false,
      credits: false,
    }) as unknown as {
      components: { schemas: { [name: string]: { properties?: { type?: { const?: string } } } } };
    };
    const of = (suffix: string): string[] =>
      Object.entries(components.schemas)
        .filter(([name, { properties }]) => name.endsWith(suffix) && properties?.type?.const === type)
        .map(([name]) => name);
    expect(of("Question")).toHaveLength(1);
    expect(of("Answer")).toHaveLength(1);
  });

  it("is a module of its own", async () => {
    expect(await namesIn("src/library/decide/questions/")).toContain(`${type}.ts`);
  });

  it("can be asked in the playground and in the extension", async () => {
    const page = await read("examples/playground/index.html");
    expect(page).toContain(`data-type="${type}"`);
    expect(page).toContain(`id="${type}-criteria"`);
    expect(await read("examples/extension/src/options.html")).toContain(`<option value="${type}">`);
  });

  it("is in the guide to questions", async () => {
    expect(await read("docs/questions.md")).toContain(`| \`${type}\``);
  });
});

describe.each(Object.keys(DEVICES) as Device[])("the device %s", (device) => {
  it("belongs to Node or to a page", () => {
    expect([...NODE_DEVICES, ...BROWSER_DEVICES]).toContain(device);
  });

  it("has a graph in the released pack for each precision", async () => {
    const manifest = await parseManifest(await readFile(new URL("manifest.json", PACK_URL), "utf8"));
    for (const precision of DEVICES[device].precisions) expect((await filesFor(manifest, { device, precision })).length).toBeGreaterThan(0);
  });

  it("is in the docs of the option device, and in the guides", async () => {
    expect(await read("src/library/decider/decider.ts")).toContain(`\`${device}\``);
    expect((await read("docs/node.md")) + (await read("docs/page.md"))).toMatch(new RegExp(`\\b${device}\\b`, "iu"));
  });
});

describe.each(FAMILY_NAMES)("the family %s", (name) => {
  it("has a folder that makes it, and a folder of tests", async () => {
    expect(await namesIn(`src/library/engine/families/${name}/`)).toEqual(expect.arrayContaining(["family.ts", "manifest.ts"]));
    expect((await namesIn(`test/library/engine/families/${name}/`)).some((file) => TESTS.test(file))).toBe(true);
  });

  it("is described in ARCHITECTURE.md", async () => {
    expect(await read("ARCHITECTURE.md")).toContain(`\`${name}\``);
  });
});

describe.each([...ROUTES.keys()])("the endpoint %s", (path) => {
  it("is in the OpenAPI document, and in the guide", async () => {
    const { paths } = openApiDocument({
      basePath: "",
      version: "0",
      limits: DEFAULT_LIMITS,
      authentication: false,
      credits: false,
    }) as { paths: { [path: string]: unknown } };
    expect(paths).toHaveProperty([path]);
    expect(await read("docs/http.md")).toContain(path);
  });
});

describe("each command", async () => {
  const commands = (await namesIn("src/tools/cli/"))
    .filter((file) => file.endsWith("-command.ts"))
    .map((file) => file.replace("-command.ts", ""));

  it.each(commands)("is registered, tested and in the guide: %s", async (command) => {
    expect(await read("src/tools/cli/main.ts")).toContain(`./${command}-command.ts`);
    expect((await namesIn("test/tools/cli/")).some((file) => TESTS.test(file) && file.startsWith(`${command}.`))).toBe(true);
    expect(await read("docs/command-line.md")).toContain(`umpire ${command}`);
  });
});
