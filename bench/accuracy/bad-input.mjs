/** What the person who runs the command got wrong, in words for them: never the text of a row. The command ends with exit code 2. */
export class BadInput extends Error {
  name = "BadInput";
}

/** @param {string} file @param {number} line @param {string} what is wrong with it */
export function wrongRow(file, line, what) {
  return new BadInput(`${file}, line ${line}: ${what}.`);
}
