/** What the person at the command line got wrong, in words for them. The command ends with exit code 2. */
export class BadInput extends Error {
  override readonly name = "BadInput";
}
