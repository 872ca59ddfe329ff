import { stat } from "node:fs/promises";
import { BadInput } from "../../cli/bad-input.ts";
import { isTextTable, rowsAndWrongOnes } from "../../rows/read-rows.ts";
import { STANDARD_INPUT, nameOf } from "../../rows/read-text.ts";
import type { ReadingOptions } from "../../rows/read-text.ts";
import type { Input } from "./input.ts";
import { openParquet } from "./read-parquet.ts";

/** Opens .jsonl, .csv and .tsv, plain or .gz, .parquet, or "-" for standard input. @throws {BadInput} */
export async function openInput(file: string, stdin?: ReadingOptions["stdin"]): Promise<Input> {
  if (file.endsWith(".parquet")) return openParquet(file);
  if (file !== STANDARD_INPUT && !isTextTable(file))
    throw new BadInput(`${file} must end in .jsonl, .csv, .tsv or .parquet; the first three may also be compressed, with .gz after it.`);
  const sizeBytes = file === STANDARD_INPUT ? undefined : await stat(file).then(sizeOf, () => undefined);
  let bytesRead = 0;
  return {
    name: nameOf(file),
    unit: "line",
    rows: rowsAndWrongOnes(file, { stdin, onBytes: (bytes) => (bytesRead = bytes) }),
    shareRead: () => (sizeBytes === undefined ? undefined : Math.min(1, bytesRead / sizeBytes)),
  };
}

/** Pipes have none. */
function sizeOf(found: { readonly size: number; isFile(): boolean }): number | undefined {
  return found.isFile() && found.size > 0 ? found.size : undefined;
}
