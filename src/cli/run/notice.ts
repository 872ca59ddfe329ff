import { escapeControls } from "../output/terminal-text.ts";

/** Says something to the person who watches, on standard error. */
export function notice(message: string): void {
  process.stderr.write(escapeControls(`umpire: ${message}\n`));
}
