import { expect, it } from "vitest";
import { runProgram } from "../../support/child-program.ts";
import { PackageCopy } from "../../support/package-copy.ts";

const ASK = `
  const error = await decide({ state: "s", questions: { q: { type: "noul", instructions: "?" } } }).then(({ model }) => new Error(model), (error) => error);
  const { code, status, retryable, message } = error;
  console.log(JSON.stringify({ code, status, retryable, message }));`;

/** Another version of the package takes the place of the one that the program has loaded, before its worker starts. */
const UPDATE = `
  import { readFileSync, readdirSync, writeFileSync } from "node:fs";
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const name of readdirSync("dist", { recursive: true }).filter((name) => /\.c?js$/.test(name))) {
    const script = readFileSync("dist/" + name, "utf8");
    writeFileSync("dist/" + name, script.replaceAll(JSON.stringify(version), '"99.9.9"'));
  }
  console.log(version);`;

it("a program whose package was updated while it ran is told both versions and to restart, and works once restarted", async () => {
  const copy = await PackageCopy.make();
  for (const name of await PackageCopy.nativeFiles()) await copy.linkNativeFile(name);
  const { code, stdout, stderr } = await runProgram(`import { decide } from "umpire"; ${UPDATE} ${ASK}`, { folder: copy.folder });
  expect([code, stderr]).toEqual([0, ""]);
  const [version = "", error = ""] = stdout.split("\n");
  const { message, ...rest } = JSON.parse(error) as { message: string };
  expect(rest).toEqual({ code: "backend_unavailable", status: 503, retryable: false });
  expect(message).toContain(`script has version ${version}, but its worker has version 99.9.9`);
  expect(message).toMatch(/restart the program/);
  const restarted = await runProgram(`import { decide } from "umpire"; ${ASK}`, { folder: copy.folder });
  expect(JSON.parse(restarted.stdout)).toEqual({ message: "umpire-2" });
});
