import type { QuestionCheck } from "../../check/index.ts";
import type { Screen } from "./screen.ts";
import { clip, oneLine, wrap } from "./terminal-text.ts";

const NAME_CELLS = 60;

/** The warnings of a question as lines. @param id "" for a question without one */
export function showCheck(id: string, { warnings }: QuestionCheck, { width, paint }: Screen): string {
  const title = id === "" ? [] : [paint("bold", clip(oneLine(id), NAME_CELLS))];
  if (warnings.length === 0) return `${[...title, `${paint("green", "✓")} nothing found`].join("\n")}\n`;
  const lines = warnings.flatMap(({ code, message }) => [
    `${paint("yellow", "!")} ${code}`,
    ...wrap(oneLine(message), width - 2).map((line) => `  ${line}`),
  ]);
  return `${[...title, ...lines].join("\n")}\n`;
}
