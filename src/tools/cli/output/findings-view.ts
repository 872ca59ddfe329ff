import type { Finding } from "../../doctor/finding.ts";
import type { Screen } from "./screen.ts";
import { fit, oneLine, wrap } from "./terminal-text.ts";

const SIGNS = { ok: ["green", "✓"], note: ["yellow", "!"], problem: ["red", "✗"] } as const;
const NAME_CELLS = 15;

/** A finding as lines, with its advice below. */
export function showFinding({ name, status, text, advice }: Finding, { width, paint }: Screen): string {
  const [style, sign] = SIGNS[status];
  const indent = " ".repeat(NAME_CELLS + 3);
  const room = width - indent.length;
  const [first = "", ...more] = wrap(oneLine(text), room);
  const lines = [`${paint(style, sign)} ${paint("bold", fit(name, NAME_CELLS))} ${first}`, ...more.map((line) => indent + line)];
  if (advice !== undefined) lines.push(...wrap(oneLine(advice), room).map((line) => indent + paint(style, line)));
  return `${lines.join("\n")}\n`;
}
