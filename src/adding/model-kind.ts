import type { TokenLimits } from "../engine/engine.ts";
import type { Manifest } from "../engine/families/families.ts";

/** What a family makes of a model's configuration: its own part of the manifest, without what all published encoders have. */
export interface ModelKind {
  readonly family: Manifest["family"];
  /** A few words for people, which complete "a ...". */
  readonly words: string;
  /** Besides the common part, `tokenizer`, `graph` and `graphs`. */
  readonly fields: object;
  /** How many numbers its graph gives for a text; undefined: any. */
  readonly classes: number | undefined;
  readonly limits: TokenLimits;
}
