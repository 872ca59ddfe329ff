import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createKeys, keyFromSecret } from "umpire/http";
import { beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import type { CommandResult } from "../support/command.ts";
import { GUIDES, textOf } from "../support/guides.ts";
import { startServer } from "../support/http-server.ts";
import { linkedProject } from "../support/linked-project.ts";
import { lacks } from "../support/needs.ts";
import { packageRootPath } from "../support/package-root.ts";
import { examplesOf, printsAsShown } from "../support/page-examples.ts";
import type { Example } from "../support/page-examples.ts";
import { sharedDecider } from "../support/shared-decider.ts";
import { tempDir } from "../support/temp-dir.ts";
import { typeErrorsOf } from "../support/type-errors.ts";

/** Figures are shown with two decimals; the last one may be another on another processor. */
const TOLERANCE = 0.0101;
/** Where the guides say that the server is. */
const SERVER = "http://127.0.0.1:8780";
const SECRET = "sk-of-the-guides";
const CLI = join(packageRootPath, "dist/cli.js");
/** `npx umpire` in a command is the built one, and is found at once. */
const NPX = `npx() { shift; '${process.execPath}' '${CLI}' "$@"; }\n`;

const pages = GUIDES.map((page) => ({ page, examples: examplesOf(textOf(page)) }));
const all = pages.flatMap(({ page, examples }) => examples.map((example) => ({ page, example })));
const titleOf = ({ heading, language, line }: Example): string => `${heading}: ${language}, line ${line}`;
const isRun = ({ marks }: Example): boolean => marks.includes("run") || marks.includes("try");
const nameOf = (page: string, { line }: Example): string => `${page.replace("/", "-")}-line-${line}`;

let project: string;
beforeAll(async () => {
  project = await linkedProject();
});

test("every JavaScript example has the types that the package declares", () => {
  const scripts = all.filter(({ example }) => example.language === "js");
  const sources = scripts.map(({ page, example }): [string, string] => [`${nameOf(page, example)}.ts`, example.code]);
  expect(typeErrorsOf(join(packageRootPath, "docs"), sources)).toEqual([]);
});

/** Checks what an example printed against what the page shows. */
function expectAsShown({ marks, language, prints = "" }: Example, { code, stdout, stderr }: CommandResult): void {
  // Commands for a shell may say on standard error what they did.
  expect({ code, stderr }).toEqual({ code: 0, stderr: language === "sh" ? stderr : "" });
  if (marks.includes("run") && !printsAsShown(stdout, prints, TOLERANCE)) expect(stdout).toBe(prints);
}
const NOT_RUN: CommandResult = { code: null, stdout: "", stderr: "" };
const promiseOf = ({ marks }: Example): string => (marks.includes("run") ? "prints what is shown" : "works");

describe("the modules of all pages", () => {
  const modules = all.filter(({ example }) => example.language === "js" && isRun(example));
  let results: CommandResult[];

  // In one process, since each is a program of its own. Its end shows that none of them keeps a program alive.
  beforeAll(async () => {
    const addresses = modules.map(({ page, example }) => {
      const file = join(project, `${nameOf(page, example)}.mjs`);
      writeFileSync(file, example.code);
      return pathToFileURL(file).href;
    });
    const runner = join(packageRootPath, "test/docs/run-examples.mjs");
    const { code, stdout, stderr } = await runCommand(process.execPath, [runner, ...addresses]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    results = stdout
      .trimEnd()
      .split("\n")
      .map((line) => ({ code, ...(JSON.parse(line) as { stdout: string; stderr: string }) }));
    expect(results).toHaveLength(modules.length);
  });

  for (const [i, { page, example }] of modules.entries()) {
    test(`${page}, ${titleOf(example)}: ${promiseOf(example)}`, () => {
      expectAsShown(example, results[i] ?? NOT_RUN);
    });
  }
});

/** Starts the guides' server for one command, which calls it. */
async function withServer(command: string): Promise<CommandResult> {
  const server = await startServer({ decider: sharedDecider, keys: createKeys([await keyFromSecret("guides", SECRET)]) });
  try {
    return await runCommand("sh", ["-euc", command.replaceAll(SERVER, server.url)], { folder: tempDir(), env: { KEY: SECRET } });
  } finally {
    await server.close();
  }
}

const commands = pages.map(({ page, examples }) => ({ page, scripts: examples.filter((one) => isRun(one) && one.language !== "js") }));
describe.each(commands.filter(({ scripts }) => scripts.length > 0))("the commands of $page", ({ scripts }) => {
  // One folder, because later commands read what earlier ones wrote.
  const folder = tempDir();
  for (const example of scripts) {
    const { language, code, needs } = example;
    test.skipIf(needs !== undefined && lacks(needs))(`${titleOf(example)}: ${promiseOf(example)}`, async () => {
      const run = (): Promise<CommandResult> => {
        if (language === "cjs") return runCommand(process.execPath, ["--input-type=commonjs", "--eval", code], { folder: project });
        return code.includes(SERVER) ? withServer(code) : runCommand("sh", ["-euc", NPX + code], { folder });
      };
      expect(["cjs", "sh"]).toContain(language);
      expectAsShown(example, await run());
    });
  }
});

describe("what is only shown", () => {
  const shown = all.filter(({ example }) => !isRun(example) && !example.marks.includes("page"));

  test("is commands, whose options exist", async () => {
    expect(shown.filter(({ example }) => example.language !== "sh").map(({ page, example }) => `${page}, ${titleOf(example)}`)).toEqual([]);
    const lines = shown.flatMap(({ example }) => [...example.code.matchAll(/\bnpx umpire (.*)$/gmu)].map(([, line = ""]) => line));
    const helps = new Map<string, Promise<CommandResult>>();
    const unknown: string[] = [];
    for (const line of lines) {
      const words = line.split(/\s+/u);
      const command = words.slice(0, ["keys", "credits", "models"].includes(words[0] ?? "") ? 2 : 1);
      const help = helps.get(command.join(" ")) ?? runCommand(process.execPath, [CLI, ...command, "--help"]);
      helps.set(command.join(" "), help);
      const { stdout } = await help;
      const options = words.filter((word) => /^--?[a-z]/u.test(word)).map((word) => word.replace(/=.*$/u, ""));
      unknown.push(...options.filter((option) => !new RegExp(`${option}\\b`, "u").test(stdout)).map((option) => `${line}: ${option}`));
    }
    expect(lines.length).toBeGreaterThan(0);
    expect(unknown).toEqual([]);
  });
});

test.each(pages)("$page shows what its examples print, and indents no block", ({ page, examples }) => {
  // An indented block would not be found.
  expect(textOf(page)).not.toMatch(/^[ \t]+```/mu);
  expect(examples.filter(({ marks, prints }) => marks.includes("run") && prints === undefined).map(titleOf)).toEqual([]);
});
