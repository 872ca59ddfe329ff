import type { Plan } from "../plan.ts";
import { openInput } from "./open-input.ts";
import { selected } from "./selected.ts";

/** Rows that are counted; how many more there are follows from how much of the file they take. */
const MAX_COUNTED = 50_000;

export interface RowCount {
  readonly rows: number;
  /** False: about so many. */
  readonly isExact: boolean;
}

/** How many rows of a file a run is about; undefined for what can be read only once. @throws {BadInput} */
export async function countRows(file: string, wanted: Plan["rows"]): Promise<RowCount | undefined> {
  const input = await openInput(file);
  if (input.shareRead() === undefined) return undefined;
  let rows = 0;
  const found = selected(input.rows, wanted);
  while ((await found.next()).done !== true) {
    rows++;
    if (rows < MAX_COUNTED) continue;
    await found.return();
    const share = input.shareRead();
    return share === undefined
      ? undefined
      : { rows: Math.min(Math.round(rows / share), wanted.limit ?? Infinity), isExact: rows === wanted.limit };
  }
  return { rows, isExact: true };
}
