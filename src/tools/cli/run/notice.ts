import type { Io } from "../io.ts";
import { escapeControls } from "../output/terminal-text.ts";

/** Says something to the person who watches, on standard error. */
export function notice({ stderr }: Pick<Io, "stderr">, message: string): void {
  stderr.write(escapeControls(`umpire: ${message}\n`));
}
