// @ts-check

/** An error with a message for the user. */
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
