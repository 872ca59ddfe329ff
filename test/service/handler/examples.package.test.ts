import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packageRootPath } from "../../support/package-root.ts";
import { typeErrorsOf } from "../../support/type-errors.ts";
import { examples, marked } from "./examples-page.ts";

// examples.faults.test.ts runs the examples.
describe("the page of examples", () => {
  test("has an example of each task in each language, and no unused block", () => {
    for (const heading of new Set(marked("run").map((example) => example.heading))) {
      const languages = marked("run").filter((example) => example.heading === heading);
      expect(languages.map(({ language }) => language)).toEqual(expect.arrayContaining(["python", "ts"]));
    }
    const unused = examples.filter(({ marks, file }) => marks.length === 0 && file === undefined);
    expect(unused.map(({ language, heading }) => [language, heading])).toEqual([
      ["sh", "Calling the service"],
      ["sh", "Calling the service"],
    ]);
    expect(marked("run").filter(({ prints }) => prints === undefined)).toEqual([]);
  });

  test("has TypeScript that compiles", () => {
    const sources = examples
      .filter(({ language }) => language === "ts")
      .map(({ file, line, code }): [string, string] => [file ?? `line-${line}.ts`, code]);
    // Packages without types, or with so many that checking takes seconds. The examples that use them are run anyway.
    const globals = `${["hono", "@hono/node-server", "express", "fastify"].map((name) => `declare module "${name}";`).join(" ")} declare const Bun: any; declare const Deno: any;`;
    expect(typeErrorsOf(join(packageRootPath, "examples/http"), [...sources, ["globals.d.ts", globals]])).toEqual([]);
  });
});
