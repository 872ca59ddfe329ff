import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { packageRootPath } from "../support/package-root.ts";
import { tempDir } from "../support/temp-dir.ts";

/** Programs of users, compiled with settings of theirs: strict, every declaration file checked, nothing of Node and nothing newer than ES2022. */

const USED = {
  umpire: `
    import { createDecider, decide } from "umpire";
    import type { Decider, DecideRequest, Question, State } from "umpire";
    interface Mail { readonly subject: string; readonly lines: string[]; readonly note?: string; readonly replies: readonly Mail[] }
    declare const mail: Mail;
    const route = { type: "choice", instructions: "Which team?", criteria: { billing: null, other: null } } as const;
    const { answers } = await decide({ state: mail, questions: { route } });
    export const choice: "billing" | "other" = answers.route.choice;
    export const state: State = mail;
    export const request: DecideRequest = { state: { mail }, questions: { route } };
    export const decider: Decider = await createDecider({ threads: 1 });
    const some: Record<string, Question> = { route };
    export const dynamic = await decider.decide({ state: [mail], questions: some });`,
  "umpire/http": `
    import { createDecider } from "umpire";
    import { createHandler } from "umpire/http";
    export const handler = createHandler({ decider: createDecider() });`,
  "umpire/serve": `
    import { createDecider } from "umpire";
    import { serve } from "umpire/serve";
    export const url: string = (await serve({ decider: createDecider() })).url;`,
  "umpire/fetch": `
    import { createFetch } from "umpire/fetch";
    export const reply: Promise<Response> = createFetch()("https://x.test/v1/decisions");`,
  "umpire/ai": `
    import { createDecider } from "umpire";
    import { createUmpire } from "umpire/ai";
    export const model = createUmpire({ decider: createDecider() })("latest");`,
  "umpire/langchain": `
    import { createDecider } from "umpire";
    import { UmpireDecisionModel } from "umpire/langchain";
    const late = { type: "noul", instructions: "Late?" } as const;
    const { answers } = await new UmpireDecisionModel({ decider: createDecider() }).invoke({ state: "", questions: { late } });
    export const accuracy: number | undefined = answers.late.x_accuracy;`,
  "umpire/tanstack": `
    import { createDecider } from "umpire";
    import { umpireDecider, umpireFields } from "umpire/tanstack";
    export const adapter = umpireDecider("latest", { decider: createDecider() });
    declare const result: { team: { value: string }; meta: Parameters<typeof umpireFields>[0]["meta"] };
    export const accuracy: number | undefined = umpireFields(result).team.x_accuracy;`,
};

const FRAMEWORKS = ["umpire/ai", "umpire/langchain", "umpire/tanstack"];

const NODE16 = { module: ts.ModuleKind.Node16, moduleResolution: ts.ModuleResolutionKind.Node16 };
const BUNDLER = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler };
const ES2022 = ["lib.es2022.d.ts"];
const PAGE = ["lib.es2022.d.ts", "lib.dom.d.ts"];

const folder = tempDir();
mkdirSync(join(folder, "node_modules"));
symlinkSync(packageRootPath, join(folder, "node_modules/umpire"), "dir");

/** TypeScript's own declarations, read once: most of the work. */
const libraries = new Map<string, ts.SourceFile>();

/** The errors of each program, compiled together. */
function errorsOf(sources: readonly string[], options: ts.CompilerOptions): string[][] {
  const texts = new Map(sources.map((source, i) => [join(folder, `program-${i}.mts`), source]));
  const all = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    ...options,
  };
  const disk = ts.createCompilerHost(all);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => texts.has(path) || disk.fileExists(path),
    readFile: (path) => texts.get(path) ?? disk.readFile(path),
    getSourceFile: (path, ...rest) => {
      const text = texts.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, rest[0]);
      if (!/[\\/]typescript[\\/]lib[\\/]/u.test(path)) return disk.getSourceFile(path, ...rest);
      const file = libraries.get(path) ?? disk.getSourceFile(path, ...rest);
      if (file !== undefined) libraries.set(path, file);
      return file;
    },
  };
  const errors = ts.getPreEmitDiagnostics(ts.createProgram([...texts.keys()], all, host));
  const textOf = ({ messageText }: ts.Diagnostic): string => ts.flattenDiagnosticMessageText(messageText, "\n");
  // An error of no program, such as one of a declaration, is one of them all.
  return [...texts.keys()].map((path) =>
    errors.filter(({ file }) => file?.fileName === path || !texts.has(file?.fileName ?? "")).map(textOf),
  );
}

describe("the types compile without @types/node, without lib esnext and without skipLibCheck", () => {
  const cases = Object.entries(USED).flatMap(([entry, source]) =>
    [["node16", NODE16] as const, ["bundler", BUNDLER] as const].flatMap(([resolution, options]) => [
      // The types of the frameworks need those of a page or of Node.
      ...(FRAMEWORKS.includes(entry) ? [] : [[entry, resolution, "es2022", source, { ...options, lib: ES2022 }] as const]),
      // LangChain's own types do not compile with this setting.
      [
        entry,
        resolution,
        "es2022 and dom",
        source,
        { ...options, lib: PAGE, exactOptionalPropertyTypes: entry !== "umpire/langchain" },
      ] as const,
    ]),
  );
  it.each(cases)("%s, %s, %s", (_entry, _resolution, _lib, source, options) => {
    expect(errorsOf([source], options)).toEqual([[]]);
  });
});

describe("what fails to compile, and says why", () => {
  const ask = (question: string): string => `import { decide } from "umpire"; await decide({ state: "", questions: { q: ${question} } });`;
  const cases: readonly (readonly [what: string, source: string, why: string])[] = [
    ["a choice of one option", ask('{ type: "choice", instructions: "?", criteria: { a: null } }'), "a choice has two options or more"],
    ["a choice of no options", ask('{ type: "choice", instructions: "?", criteria: {} }'), "a choice has two options or more"],
    [
      "critera of a yes/no question",
      ask('{ type: "noul", instructions: "?", critera: { true: "x" } }'),
      "a question has type, instructions and criteria",
    ],
    [
      "critera of a choice",
      ask('{ type: "choice", instructions: "?", critera: { a: null, b: null } }'),
      "Did you mean to write 'criteria'?",
    ],
    ["no questions", 'import { decide } from "umpire"; await decide({ state: "", questions: {} });', "ask one question or more"],
    ["a level that is null", ask('{ type: "score", instructions: "?", criteria: ["calm", null] }'), "null"],
    [
      "a function in a state",
      'import { decide } from "umpire"; await decide({ state: { sent: () => 1 }, questions: { q: { type: "noul", instructions: "?" } } });',
      "JSON cannot hold this value",
    ],
  ];
  let errors: readonly (readonly string[])[];
  beforeAll(() => {
    const sources = cases.map(([, source]) => source);
    errors = errorsOf(sources, { ...BUNDLER, lib: PAGE });
  });

  it.each(cases.map(([what, , why], i) => ({ what, why, i })))("$what", ({ why, i }) => {
    expect(errors[i]).toEqual([expect.stringContaining(why)]);
  });
});
