/** What kept a command from its work, in words for the person at the command line. It ends with exit code 1. */
export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
}
