import { readFile } from "node:fs/promises";
import { isPlainObject } from "../../../library/validation/shape.ts";
import type { Plan } from "../plan.ts";
import type { Block } from "./output.ts";

/** A block whose lines are on the disk. */
export interface DoneBlock extends Block {
  /** Length of the file of results after it. */
  readonly bytes: number;
  /** SHA-256 of its lines, in hexadecimal digits. */
  readonly output: string;
}

/** What a journal says: lines of JSON. The first is the plan; one for each block follows, and one at the end. */
export interface Journal {
  readonly plan: Plan;
  readonly blocks: readonly DoneBlock[];
  /** Length of the journal up to the plan, and up to each block: one more than there are blocks. */
  readonly lengths: readonly number[];
  /** How many rows there were, those of all shards together; undefined: it has not come to the end. */
  readonly rows: number | undefined;
}

/** The journal beside a file of results. */
export function journalOf(out: string): string {
  return `${out}.journal`;
}

/** Reads a journal as far as it is whole: its last line may be torn. @returns undefined if there is none, or not even a plan in it */
export async function readJournal(path: string): Promise<Journal | undefined> {
  const bytes = await readFile(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (bytes === undefined) return undefined;
  const lengths: number[] = [];
  const blocks: DoneBlock[] = [];
  let plan: Plan | undefined;
  let rows: number | undefined;
  let from = 0;
  for (let end = bytes.indexOf("\n"); end >= 0 && rows === undefined; from = end + 1, end = bytes.indexOf("\n", from)) {
    const line = jsonOf(bytes.toString("utf8", from, end));
    if (line === undefined) break;
    if (plan === undefined) {
      if (line["umpire_run"] !== 1) return undefined;
      plan = line as unknown as Plan;
    } else if (typeof line["rows"] === "number") {
      rows = line["rows"];
      continue;
    } else blocks.push(line as unknown as DoneBlock);
    lengths.push(end + 1);
  }
  return plan && { plan, blocks, lengths, rows };
}

/** A line that was written whole is an object. What a power cut left of one may be anything. */
function jsonOf(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isPlainObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
