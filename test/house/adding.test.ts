import { readFile, readdir } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { QUESTION_TYPES } from "../../src/decide/request.ts";
import { DEVICES } from "../../src/engine/devices.ts";
import { FAMILY_NAMES } from "../../src/engine/families/families.ts";
import { DEFAULT_LIMITS } from "../../src/http/limits.ts";
import { openApiDocument } from "../../src/http/openapi/document.ts";
import { BROWSER_DEVICES } from "../../src/platform/browser/device-names.ts";
import { nodePlatform } from "../../src/platform/node/platform.ts";
import { PACKAGE_ROOT } from "../support/package-root.ts";

/** The lists of CONTRIBUTING.md, "Adding a ...": what the compiler cannot see of them. */

const read = (path: string): Promise<string> => readFile(new URL(path, PACKAGE_ROOT), "utf8");
const namesIn = async (folder: string): Promise<string[]> => readdir(new URL(folder, PACKAGE_ROOT));

describe.each(QUESTION_TYPES)("the question type %s", (type) => {
  it("is in the OpenAPI document, asked and answered", () => {
    const { components } = openApiDocument({
      basePath: "",
      version: "0",
      limits: DEFAULT_LIMITS,
      authentication: false,
      credits: false,
    }) as {
      components: { schemas: { [name: string]: { properties?: { type?: { const?: string } } } } };
    };
    const of = (suffix: string): string[] =>
      Object.entries(components.schemas)
        .filter(([name, { properties }]) => name.endsWith(suffix) && properties?.type?.const === type)
        .map(([name]) => name);
    expect(of("Question")).toHaveLength(1);
    expect(of("Answer")).toHaveLength(1);
  });

  it.each([
    ["asked by the playground", "examples/playground/draft.js"],
    ["shown by the playground", "examples/playground/answers.js"],
    ["shown in a terminal", "src/cli/output/answer-view.ts"],
    ["asked at random by the property tests and the fuzzer", "test/support/random-requests.ts"],
    ["held by the contract's oracle", "test/support/contract-oracle.ts"],
  ])("is %s", async (_, file) => {
    expect(await read(file)).toMatch(new RegExp(`["'\`]?\\b${type}\\b["'\`]?`, "u"));
  });

  it("is in the guide to questions", async () => {
    expect(await read("docs/questions.md")).toContain(`\`${type}\``);
  });
});

describe.each(Object.keys(DEVICES))("the device %s", (device) => {
  it("is had by Node or by a page", () => {
    const had: readonly string[] = [...nodePlatform(new URL("dist/", PACKAGE_ROOT)).devices, ...BROWSER_DEVICES];
    expect(had).toContain(device);
  });

  it("is in the docs of the option device, and in the guides", async () => {
    expect(await read("src/decider/decider.ts")).toContain(`"${device}"`);
    expect((await read("docs/node.md")) + (await read("docs/page.md"))).toMatch(new RegExp(`\\b${device}\\b`, "iu"));
  });
});

describe.each(FAMILY_NAMES)("the family %s", (name) => {
  it("has a folder that makes it, and a folder of tests", async () => {
    expect(await namesIn(`src/engine/families/${name}/`)).toEqual(expect.arrayContaining(["family.ts", "manifest.ts"]));
    expect((await namesIn(`test/engine/families/${name}/`)).some((file) => file.endsWith(".test.ts"))).toBe(true);
  });

  it("is named in code only by the table and by its own folder", async () => {
    const sources = (await readdir(new URL("src/", PACKAGE_ROOT), { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    const naming: string[] = [];
    for (const { parentPath, name: file } of sources) {
      const text = await readFile(`${parentPath}/${file}`, "utf8");
      if (text.includes(`"${name}"`)) naming.push(`${parentPath}/${file}`.replace(/.*\/src\//u, "src/").replace("//", "/"));
    }
    const own = `src/engine/families/${name}/`;
    expect(naming.filter((file) => !file.startsWith(own))).toEqual(["src/engine/families/families.ts"]);
  });

  it("is described in ARCHITECTURE.md", async () => {
    expect(await read("ARCHITECTURE.md")).toContain(`\`${name}\``);
  });
});

describe("each command", async () => {
  const commands = (await namesIn("src/cli/"))
    .filter((file) => file.endsWith("-command.ts"))
    .map((file) => file.replace("-command.ts", ""));

  it.each(commands)("is registered, tested and in the guide: %s", async (command) => {
    expect(await read("src/cli/main.ts")).toContain(`./${command}-command.ts`);
    expect(await namesIn("test/cli/")).toContain(`${command}.test.ts`);
    expect(await read("docs/command-line.md")).toContain(`umpire ${command}`);
  });
});
