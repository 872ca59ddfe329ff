import { describe, expect, it } from "vitest";
import { textOf } from "../support/guides.ts";

const { scripts } = JSON.parse(textOf("package.json")) as { readonly scripts: Readonly<Record<string, string>> };
const CHECK = "node packaging/installed.mjs && ";

/** The script that a command starts with, if it is one of package.json. */
const firstOf = (command: string): string | undefined => /^npm run ([\w:]+)/u.exec(command)?.[1];

describe("before npm ci", () => {
  it.each(Object.entries(scripts))("npm run %s says that it must come first", (_, command) => {
    let first = command;
    for (let name = firstOf(first); name !== undefined; name = firstOf(first)) first = scripts[name] ?? "";
    expect(first.startsWith(CHECK)).toBe(true);
  });
});

describe("npm ci", () => {
  // Every npm runs the scripts of the packages that the lockfile names as having some. onnxruntime-node's downloads from elsewhere, and npm leaves the
  // package out where it cannot.
  it("runs no install script: delete each line of package-lock.json with hasInstallScript, and say in allowScripts that it is not run", () => {
    expect(textOf("package-lock.json")).not.toContain("hasInstallScript");
    const { allowScripts } = JSON.parse(textOf("package.json")) as { readonly allowScripts: Readonly<Record<string, boolean>> };
    expect(Object.values(allowScripts)).toEqual(Object.values(allowScripts).map(() => false));
  });
});
