/** What one check found. */
export interface Finding {
  /** What was looked at, in a word or two. Unique in a report. */
  readonly name: string;
  /** `note`: it works, but not as well as it could, or not everywhere. `problem`: something is wrong. */
  readonly status: "ok" | "note" | "problem";
  /** What was found, in one line. */
  readonly text: string;
  /** What to do; for a note or a problem. */
  readonly advice?: string;
  /** The same for programs. What is unknown is null. */
  readonly facts?: { readonly [name: string]: string | number | boolean | null | readonly string[] };
}
