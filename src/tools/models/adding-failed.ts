import { whyUnwritable } from "../../files/system-errors.ts";

/** Why a model cannot be added. The message is one for people: what was found, and what to do next. */
export class AddingFailed extends Error {
  override readonly name = "AddingFailed";
}

/** The failure of a model's folder that cannot be changed. An error of another kind is returned as it is. */
export function ifUnwritable(error: unknown): unknown {
  const why = whyUnwritable(error);
  if (why === undefined) return error;
  const message = `The model's folder cannot be changed: ${why}. Nothing new was kept. Mend that, or set UMPIRE_HOME to a folder of yours on another disk.`;
  return new AddingFailed(message, { cause: error });
}
