import type { TokenLimits } from "../../library/engine/engine.ts";
import type { Manifest } from "../../library/engine/families/families.ts";

/** What a family makes of a model's configuration: its own part of the manifest, without what all published encoders have. */
export interface ModelKind {
  readonly family: Manifest["family"];
  /** What it is for and how it works, in a few words that follow its name and a colon. */
  readonly words: string;
  /** Besides the common part, `tokenizer`, `graph` and `graphs`. */
  readonly fields: object;
  /** How many numbers its graph gives for a text; undefined: any. */
  readonly classes: number | undefined;
  readonly limits: TokenLimits;
  /** Whether padding changes what it says, although it is masked. Default: false. */
  readonly isUnpadded?: boolean;
}
