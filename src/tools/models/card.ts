/** What a model's card (README.md) says of it. */
export interface ModelCard {
  /** As its front matter says it, such as `apache-2.0`. */
  readonly licence?: string;
}

const FRONT_MATTER = /^---\r?\n([^]*?)\r?\n---\s*(?:\r?\n|$)/u;
const LICENCE = /^licen[cs]e:[ \t]*["']?([\w.+-]{1,60})["']?[ \t]*$/mu;
const OTHER_NAME = /^license_name:[ \t]*["']?([\w.+-]{1,60})["']?[ \t]*$/mu;

/** Reads the front matter of a card. Only a plain word can be a licence: anything else is for its reader. */
export function readCard(text: string): ModelCard {
  const [, matter = ""] = FRONT_MATTER.exec(text.replace(/^\uFEFF/u, "")) ?? [];
  const [, stated] = LICENCE.exec(matter) ?? [];
  const [, named] = OTHER_NAME.exec(matter) ?? [];
  const licence = stated === "other" ? (named ?? stated) : stated;
  return licence === undefined ? {} : { licence };
}
