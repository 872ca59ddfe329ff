import { join } from "node:path";
import { createDecider } from "umpire";
import type { Decider } from "umpire";
import { createKeys, keyFromSecret } from "umpire/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../support/command.ts";
import type { CommandResult } from "../support/command.ts";
import { GUIDES, textOf } from "../support/guides.ts";
import { startServer } from "../support/http-server.ts";
import type { HttpServer } from "../support/http-server.ts";
import { LinkedProject } from "../support/linked-project.ts";
import { packageRootPath } from "../support/package-root.ts";
import { examplesOf, printsAsShown } from "../support/page-examples.ts";
import type { Example } from "../support/page-examples.ts";
import { typeErrorsOf } from "../support/type-errors.ts";

/** Figures are shown with two decimals; the last one may be another on another processor. */
const TOLERANCE = 0.0101;
/** Where the guides say that the server is. */
const SERVER = "http://127.0.0.1:8780";
const SECRET = "sk-of-the-guides";

const pages = GUIDES.map((page) => ({ page, examples: examplesOf(textOf(page)) }));
const titleOf = ({ heading, language, line }: Example): string => `${heading}: ${language}, line ${line}`;
const isRun = ({ marks }: Example): boolean => marks.includes("run") || marks.includes("try");
/** `umpire` at the start of a command is the built one, and is found at once. */
const NPX = `npx() { node "node_modules/$1/dist/cli.js" "\${@:2}"; }\n`;

let decider: Decider;
let server: HttpServer;

beforeAll(async () => {
  decider = await createDecider({ threads: 1 });
  server = await startServer({ decider, keys: createKeys([await keyFromSecret("guides", SECRET)]) });
});
afterAll(async () => {
  await server.close();
  await decider.close();
});

function run({ language, code }: Example, folder: string): Promise<CommandResult> {
  const options = { folder, env: { KEY: SECRET } };
  const asked = code.replaceAll(SERVER, server.url);
  switch (language) {
    case "js":
      return runCommand(process.execPath, ["--input-type=module", "--eval", asked], options);
    case "cjs":
      return runCommand(process.execPath, ["--input-type=commonjs", "--eval", asked], options);
    case "sh":
      return runCommand("bash", ["-euo", "pipefail", "-c", NPX + asked], options);
    default:
      throw new Error(`no test runs ${language}`);
  }
}

test("every JavaScript example has the types that the package declares", () => {
  const sources = pages.flatMap(({ page, examples }) =>
    examples
      .filter(({ language }) => language === "js")
      .map(({ line, code }): [string, string] => [`${page.replace("/", "-")}-line-${line}.ts`, code]),
  );
  expect(typeErrorsOf(join(packageRootPath, "docs"), sources)).toEqual([]);
});

describe.each(pages)("the examples of $page", ({ page, examples }) => {
  let project: LinkedProject;
  beforeAll(async () => {
    project = await LinkedProject.make();
  });
  afterAll(() => project.remove());

  test("are run, or belong to a page of a browser, or are commands whose options exist", async () => {
    const others = examples.filter((example) => !isRun(example) && !example.marks.includes("page"));
    expect(others.filter(({ language }) => language !== "sh").map(titleOf)).toEqual([]);
    for (const { code } of others) expect(await unknownOptionsOf(code)).toEqual([]);
    // An indented block would not be found.
    expect(textOf(page)).not.toMatch(/^[ \t]+```/mu);
    expect(examples.filter(({ marks, prints }) => marks.includes("run") && prints === undefined).map(titleOf)).toEqual([]);
  });

  for (const example of examples.filter(isRun)) {
    const { marks, language, prints = "" } = example;
    test(`${marks.includes("run") ? "prints what is shown" : "works"}: ${titleOf(example)}`, async () => {
      const { code, stdout, stderr } = await run(example, project.folder);
      // Commands for a shell may say on standard error what they did.
      expect({ code, stderr }).toEqual({ code: 0, stderr: language === "sh" ? stderr : "" });
      if (marks.includes("run") && !printsAsShown(stdout, prints, TOLERANCE)) expect(stdout).toBe(prints);
    });
  }
});

/** Options of `npx umpire …` lines that the command's help does not know. */
async function unknownOptionsOf(code: string): Promise<string[]> {
  const unknown: string[] = [];
  for (const [, line = ""] of code.matchAll(/\bnpx umpire (.*)$/gmu)) {
    const words = line.split(/\s+/u);
    const command = words.slice(0, ["keys", "credits", "models"].includes(words[0] ?? "") ? 2 : 1);
    const { stdout: help } = await runCommand(process.execPath, [join(packageRootPath, "dist/cli.js"), ...command, "--help"]);
    const options = words.filter((word) => /^--?[a-z]/u.test(word)).map((word) => word.replace(/=.*$/u, ""));
    unknown.push(
      ...options.filter((option) => !new RegExp(`${option}\\b`, "u").test(help)).map((option) => `${command.join(" ")} ${option}`),
    );
  }
  return unknown;
}
