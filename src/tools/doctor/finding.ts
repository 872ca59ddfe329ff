import type { Screen } from "../cli/output/screen.ts";
import { fit, oneLine, wrap } from "../cli/output/terminal-text.ts";

export interface Finding {
  /** The thing checked, in a word or two. Unique in a report. */
  readonly name: string;
  /** `note`: it works, but not as well as it could, or not everywhere. `problem`: something is wrong. */
  readonly status: "ok" | "note" | "problem";
  readonly text: string;
  readonly advice?: string;
  /** The same for programs. What is unknown is null. */
  readonly facts?: { readonly [name: string]: string | number | boolean | null | readonly string[] };
}

const SIGNS = { ok: ["green", "✓"], note: ["yellow", "!"], problem: ["red", "✗"] } as const;
const NAME_CELLS = 15;

export function showFinding({ name, status, text, advice }: Finding, { width, paint }: Screen): string {
  const [style, sign] = SIGNS[status];
  const indent = " ".repeat(NAME_CELLS + 3);
  const room = width - indent.length;
  const [first = "", ...more] = wrap(oneLine(text), room);
  const lines = [`${paint(style, sign)} ${paint("bold", fit(name, NAME_CELLS))} ${first}`, ...more.map((line) => indent + line)];
  if (advice !== undefined) lines.push(...wrap(oneLine(advice), room).map((line) => indent + paint(style, line)));
  return `${lines.join("\n")}\n`;
}
