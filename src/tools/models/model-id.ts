import { AddingFailed } from "./adding-failed.ts";

/** Lower case, because some file systems take two cases for one. It may not end with a dot, which Windows drops. */
const ID = /^[a-z\d](?:[a-z\d._-]{0,62}[a-z\d])?$/u;
/** No folder of Windows can have such a name, with whatever ending. */
const DEVICE_NAME = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/u;

/**
 * The id that a model gets.
 * @param asked as a person gave it; undefined: made of the source's name
 * @param sourceName a folder's name or `org/name`
 * @param taken ids of other models that were added
 * @param reserved names of umpire's own: its models' ids, and what stands for one
 * @throws {AddingFailed} for what is no id, or is taken
 */
export function modelId(asked: string | undefined, sourceName: string, taken: readonly string[], reserved: readonly string[] = []): string {
  const id = asked ?? idFrom(sourceName);
  if (!isModelId(id)) {
    throw new AddingFailed(
      asked === undefined
        ? "No id can be made of the model's name. Give one with --as, such as --as nli-base."
        : "The id given with --as must have 1 to 64 lower-case letters, digits, dots, dashes and underscores, and start and end with a letter or digit.",
    );
  }
  if (reserved.includes(id))
    throw new AddingFailed(`${id} is a name of umpire's own. Give the model another id with --as, such as --as nli-base.`);
  if (taken.includes(id)) throw idTaken(id);
  return id;
}

export function idTaken(id: string): AddingFailed {
  return new AddingFailed(
    `There is a model ${id} already. Give this one another id with --as, or remove that one: umpire models remove ${id}.`,
  );
}

export function isModelId(id: string): boolean {
  return ID.test(id) && !DEVICE_NAME.test(id);
}

function idFrom(sourceName: string): string {
  const name = sourceName.split("/").at(-1) ?? "";
  return name
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z\d._-]+/gu, "-")
    .replaceAll(/[._-]*-[._-]*/gu, "-")
    .replaceAll(/^[^a-z\d]+/gu, "")
    .slice(0, 64)
    .replaceAll(/[^a-z\d]+$/gu, "");
}
