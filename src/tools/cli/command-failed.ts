/** A failure that is not the person's mistake, in words for that person. The command ends with exit code 1. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}
