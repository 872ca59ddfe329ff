import { stat } from "node:fs/promises";
import { rowsAndWrongOnes } from "../../cli/rows/read-rows.ts";
import { STANDARD_INPUT, nameOf } from "../../cli/rows/read-text.ts";
import type { RowOrWrong } from "../../cli/rows/row.ts";
import { openParquet } from "./read-parquet.ts";

/** The rows of a file or of standard input, as they are read. */
export interface Input {
  /** What messages call it. */
  readonly name: string;
  /** What `line` of a row counts. */
  readonly unit: "line" | "row";
  /** One or more. @throws {BadInput} once the rest cannot be read */
  readonly rows: AsyncGenerator<RowOrWrong, void, void>;
  /** The share that was read so far, 0 to 1; undefined: nobody knows. */
  shareRead(): number | undefined;
}

/** Opens .jsonl, .csv and .tsv, plain or .gz, .parquet, or "-" for standard input. @throws {BadInput} */
export async function openInput(file: string): Promise<Input> {
  if (file.endsWith(".parquet")) return openParquet(file);
  const sizeBytes = file === STANDARD_INPUT ? undefined : await stat(file).then(sizeOf, () => undefined);
  let bytesRead = 0;
  return {
    name: nameOf(file),
    unit: "line",
    rows: rowsAndWrongOnes(file, (bytes) => (bytesRead = bytes)),
    shareRead: () => (sizeBytes === undefined ? undefined : Math.min(1, bytesRead / sizeBytes)),
  };
}

/** Pipes have none. */
function sizeOf(found: { readonly size: number; isFile(): boolean }): number | undefined {
  return found.isFile() && found.size > 0 ? found.size : undefined;
}
