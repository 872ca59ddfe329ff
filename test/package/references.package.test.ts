import { beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../support/guides.ts";
import { packedFiles } from "../support/packed-files.ts";

/** A path from the root of the repository, such as `examples/http/README.md` or `bench/`, a paper of it, or a command of its package.json. */
const REFERENCE =
  /(?<![\w./@<>-])(?:(?:\.ci|bench|docs|examples|models|packaging|src|test)\/(?:[\w./*-]*[\w/*])?|(?:ARCHITECTURE|CONTRIBUTING|SECURITY|CHANGELOG|NOTICE)(?:\.md)?\b|npm (?:run|test)\b(?: [\w:]+)?)/gu;
/** How a text says that what it names is not in the package. */
const ELSEWHERE = /\b(?:repository|clone)\b/iu;

/** Paragraphs of a text, each with the heading above it. A block of code belongs to the paragraph before it. */
function paragraphsOf(text: string): string[] {
  let heading = "";
  return text
    .replace(/\n\n(```[\s\S]*?\n```)/gu, "\n$1")
    .split(/\n[ \t]*\n/u)
    .map((paragraph) => {
      heading = /^#+ .*/u.exec(paragraph)?.[0] ?? heading;
      return `${heading}\n${paragraph}`;
    });
}

/** What people read of the package: its papers, the texts of its examples, the types' comments, the playground, and what the command line says. */
const READ = [/\.(?:md|mjs|html|yaml|service|d\.ts)$/u, /^dist\/playground\//u, /^NOTICE$/u, /^dist\/(?:chunks\/)?[\w.-]+\.js$/u];
/** Scripts of onnxruntime. */
const OF_OTHERS = /^dist\/(?:umpire\/)?ort[\w.-]*\.mjs$/u;

describe("no text of the package sends its reader to what only the repository has", () => {
  let files: ReadonlySet<string>;
  let texts: readonly string[];
  beforeAll(async () => {
    files = await packedFiles();
    texts = [...files].filter((path) => READ.some((pattern) => pattern.test(path)) && !OF_OTHERS.test(path));
  });

  const isPacked = (reference: string): boolean => {
    const [start = ""] = reference.split("*");
    // A file, a pattern, or a folder.
    return (
      files.has(reference) || [...files].some((path) => path.startsWith(start === reference ? `${reference.replace(/\/$/u, "")}/` : start))
    );
  };

  /** References that lead nowhere, in paragraphs that do not say so. */
  function deadIn(text: string): string[] {
    // A page may say it once for all of it.
    if (text.includes("The commands are part of the repository.")) return [];
    return paragraphsOf(text)
      .filter((paragraph) => !ELSEWHERE.test(paragraph))
      .flatMap((paragraph) => [...paragraph.matchAll(REFERENCE)].map(([reference]) => reference))
      .filter((reference) => !isPacked(reference));
  }

  it("finds such texts, and what they name", () => {
    expect(texts.length).toBeGreaterThan(100);
    expect(deadIn("See `bench/LOG.md`, docs/nothing.md and `test/`.\n\n```sh\nnpm run bench\n```")).toEqual([
      "bench/LOG.md",
      "docs/nothing.md",
      "test/",
      "npm run bench",
    ]);
    expect(deadIn("In a clone of the repository:\n\n```sh\nnpm run bench\n```\n\nSee docs/http.md and examples/*.mjs.")).toEqual([]);
  });

  it("where it names a file or a command", () => {
    const dead = texts.flatMap((path) => {
      // The bundler names each module before its code.
      const text = path.endsWith(".js") ? textOf(path).replace(/^\s*\/\/ .*$/gmu, "") : textOf(path);
      return deadIn(text).map((reference) => `${path}: ${reference}`);
    });
    expect(dead).toEqual([]);
  });
});
