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

const page = textOf("docs/wordings.md");

it.each(Object.entries(kinds))("%s has questions, of which docs/wordings.md shows the first and others", (kind, wordings) => {
  for (const wording of wordings) expect(() => parseQuestion(wording)).not.toThrow();
  const [, shown = ""] = page.split(`| **${kind}** (`);
  const [, ...rows] = (shown.split(/\n(?:\| \*\*|\n)/u)[0] ?? "").split("\n");
  expect(rows[0]).toContain(`| ${wordings[0]?.instructions ?? ""} |`);
  const instructions = wordings.map((wording) => wording.instructions);
  for (const row of rows) expect(instructions.some((text) => row.startsWith(`| ${text} `))).toBe(true);
  expect(rows.length).toBeGreaterThan(1);
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
