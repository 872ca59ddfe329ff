import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCommand } from "../support/command.ts";
import type { CommandResult } from "../support/command.ts";
import { packageRootPath } from "../support/package-root.ts";
import { tempDir } from "../support/temp-dir.ts";

const SAID = "The packages that this needs are not installed yet: run `npm ci` first.\n";

/** What every script starts with, in a fresh clone. */
function clone(): string {
  const folder = tempDir();
  for (const path of ["package.json", "packaging/installed.mjs"]) cpSync(join(packageRootPath, path), join(folder, path));
  return folder;
}

const npm = (folder: string, ...args: readonly string[]): Promise<CommandResult> =>
  runCommand("npm", args, { folder, env: { npm_config_update_notifier: "false" } });

describe("in a clone without its packages", () => {
  it.each(["run demo", "test"])("npm %s says in one line what to do", async (command) => {
    const { code, stderr } = await npm(clone(), ...command.split(" "));
    expect({ code, stderr }).toEqual({ code: 1, stderr: SAID });
  });

  it("npm pack says it, before what npm itself says, and packs nothing", async () => {
    const { code, stdout, stderr } = await npm(clone(), "pack");
    expect(code).toBe(1);
    expect(stderr.startsWith(SAID)).toBe(true);
    expect(stderr.slice(SAID.length)).toMatch(/^(?:npm error .*\n)*$/u);
    expect(stdout).not.toContain(".tgz");
  });

  it("so it does where an install was broken off", async () => {
    const folder = clone();
    mkdirSync(join(folder, "node_modules/esbuild"), { recursive: true });
    writeFileSync(join(folder, "node_modules/esbuild/package.json"), "{}");
    expect(await npm(folder, "run", "format")).toMatchObject({ code: 1, stderr: SAID });
  });
});
