import type { RowOrWrong } from "../../rows/row.ts";

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
