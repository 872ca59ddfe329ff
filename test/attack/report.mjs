import { readFile, writeFile } from "node:fs/promises";
import { shownStatuses } from "../../bench/http/figures.mjs";

const PAPER = new URL("../../SECURITY.md", import.meta.url);

/** One line for a terminal. */
export function lineOf(outcome) {
  const { name, holds, faults } = outcome;
  const found = Object.entries(faults).map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`));
  return [`${holds ? "holds" : "FAILS"}  ${name}: ${seenIn(outcome)}`, ...found.map((text) => `         ${text}`)].join("\n");
}

/** The table of SECURITY.md. */
export function table(outcomes) {
  const rows = outcomes.map((outcome) => [outcome.name, outcome.tries, seenIn(outcome), outcome.promise, outcome.holds ? "yes" : "**no**"]);
  return [["attack", "tries", "what was seen", "what is promised", "held"], ["---", "---", "---", "---", "---"], ...rows]
    .map((cells) => `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}

function seenIn({ statuses, notes }) {
  return [shownStatuses(statuses), ...notes].filter((text) => text !== "").join("; ");
}

/** Puts the table between the two comments of SECURITY.md that are named for it. */
export async function writePaper(name, outcomes) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const paper = await readFile(PAPER, "utf8");
  const [before, rest] = paper.split(start);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`SECURITY.md has no "${start}" followed by "${end}"`);
  await writeFile(PAPER, `${before}${start}\n\n${table(outcomes)}\n\n${end}${after}`);
}
