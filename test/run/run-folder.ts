import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { umpire } from "../support/command-line.ts";
import type { Run, RunOptions } from "../support/command-line.ts";

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

/** A folder with a file of questions, in which runs are made. */
export class RunFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<RunFolder> {
    const folder = new RunFolder(await mkdtemp(join(tmpdir(), "umpire-run-")));
    await folder.write("questions.json", JSON.stringify(QUESTIONS));
    return folder;
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

  run(rows: string, out: string, flags: readonly string[] = [], options: RunOptions = {}): Promise<Run> {
    return umpire(this.args(rows, out, ...flags), options);
  }

  async remove(): Promise<void> {
    await rm(this.path, { recursive: true });
  }
}
