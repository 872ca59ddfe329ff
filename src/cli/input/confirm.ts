import { createInterface } from "node:readline/promises";
import { escapeControls } from "../output/terminal-text.ts";

/** Whether somebody is there to be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY && process.stderr.isTTY;
}

/** Asks a question on the terminal. @param question without its mark @returns whether the answer is yes */
export async function confirm(question: string): Promise<boolean> {
  const line = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C ends the program as it does elsewhere.
  line.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
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
