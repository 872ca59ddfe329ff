/** A mistake of the person at the command line, in words for that person. The command ends with exit code 2. */
export class BadInput extends Error {
  override readonly name = "BadInput";
}
