import { createInterface } from "node:readline/promises";
import { endBy } from "../end-signals.ts";
import type { Io } from "../io.ts";
import { escapeControls } from "../output/terminal-text.ts";

/** Whether somebody is there to be asked. */
export function canAsk({ stdin, stderr }: Io): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a question on the terminal. @param question without its mark @returns whether the answer is yes */
export async function confirm({ stdin, stderr }: Io, question: string): Promise<boolean> {
  const line = createInterface({ input: stdin, output: stderr });
  // Ctrl-C ends the program as it does elsewhere.
  line.once("SIGINT", () => {
    endBy("SIGINT");
  });
  try {
    const ended = new Promise<string>((resolve) =>
      line.once("close", () => {
        resolve("");
      }),
    );
    const answer = await Promise.race([line.question(`${escapeControls(question)}? [y/N] `), ended]);
    return /^y(?:es)?$/iu.test(answer.trim());
  } finally {
    line.close();
  }
}
