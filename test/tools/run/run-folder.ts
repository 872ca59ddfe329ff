import { writeFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { umpire } from "../../support/command-line.ts";
import type { CallOptions, Run } from "../../support/command-line.ts";
import { tempDir } from "../../support/temp-dir.ts";

const OPENINGS = ["The card was charged twice", "The app crashes on start", "My parcel is late", "Please reset my password"];

/** Short texts, each another one. */
export function texts(count: number): string[] {
  return Array.from({ length: count }, (_, i) => `${OPENINGS[(i * 7) % 4]}, order ${i}.`);
}

/** Rows `{id, text}` as lines of JSON. */
export function jsonl(count: number): string {
  return texts(count)
    .map((text, id) => `${JSON.stringify({ id, text })}\n`)
    .join("");
}

export const QUESTIONS = { late: { type: "noul", instructions: "Is it late?" } } as const;

/** A folder with a file of questions, in which runs are made. It is removed after the file of tests. */
export class RunFolder {
  readonly path = tempDir();

  constructor() {
    writeFileSync(this.at("questions.json"), JSON.stringify(QUESTIONS));
  }

  at(name: string): string {
    return name === "-" ? name : join(this.path, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await writeFile(this.at(name), content);
  }

  read(name: string): Promise<string> {
    return readFile(this.at(name), "utf8");
  }

  /** The arguments of a run: names are those of files in the folder. */
  args(rows: string, out: string, ...flags: readonly string[]): string[] {
    return ["run", this.at("questions.json"), this.at(rows), "--out", this.at(out), ...flags];
  }

  /** With one worker of one thread, which is the least that a machine has to do, unless the flags say otherwise. */
  run(rows: string, out: string, flags: readonly string[] = [], options: CallOptions = {}): Promise<Run> {
    return umpire(this.args(rows, out, ...(flags.includes("--queue") ? [] : ["--workers", "1", "--threads", "1"]), ...flags), options);
  }
}
