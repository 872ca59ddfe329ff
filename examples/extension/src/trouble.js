// @ts-check

/** Something that went wrong, in words for the person who asked. */
export class Trouble extends Error {
  /**
   * @param {string} title
   * @param {string} message what happened and what to do
   * @param {string} [code] of a DecideError
   */
  constructor(title, message, code) {
    super(message);
    this.title = title;
    this.code = code;
  }
}
