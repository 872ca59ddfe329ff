import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parseQuestion } from "../../src/library/decide/request.ts";
import { textOf } from "../support/guides.ts";
import { PACKAGE_ROOT } from "../support/package-root.ts";

interface Wording {
  readonly type: string;
  readonly instructions: string;
  readonly criteria?: object;
}
const FOLDER = new URL("bench/wordings/", PACKAGE_ROOT);
const kinds = JSON.parse(readFileSync(new URL("questions.json", FOLDER), "utf8")) as Readonly<Record<string, readonly Wording[]>>;

it.each(Object.entries(kinds))("%s has two or three wordings, which docs/wordings.md shows", (_, wordings) => {
  expect([2, 3]).toContain(wordings.length);
  for (const wording of wordings) {
    expect(() => parseQuestion(wording)).not.toThrow();
    expect(textOf("docs/wordings.md")).toContain(`| ${wording.instructions}`);
  }
});

it.each(["spam-in-comments", "refund", "urgency", "complaint", "threat"])("%s.tsv has 40 different texts, half of them yes", (name) => {
  expect(Object.keys(kinds)).toContain(name.replaceAll("-", " "));
  const lines = readFileSync(new URL(`${name}.tsv`, FOLDER), "utf8")
    .trimEnd()
    .split("\n");
  const rows = lines.map((line) => line.split("\t"));
  expect(new Set(rows.map(([, text]) => text)).size).toBe(40);
  expect(rows.map(([answer]) => answer).filter((answer) => answer === "yes")).toHaveLength(20);
  expect(rows.every((row) => row.length === 2)).toBe(true);
});
