/** A mistake by the person running the command. The message never quotes the text of a row. The command exits with code 2. */
export class BadInput extends Error {
  name = "BadInput";
}

/** @param {string} file @param {number} line @param {string} what is wrong with it */
export function wrongRow(file, line, what) {
  return new BadInput(`${file}, line ${line}: ${what}.`);
}
