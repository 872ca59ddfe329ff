// @ts-check
// Talks with `umpire label`.

/**
 * @typedef {{ key: string, name: string, description?: string, press?: string }} Option
 * @typedef {{
 *   revision: number, state: "reading" | "asking" | "done" | "failed", isOver: boolean,
 *   question: { instructions: string, options: readonly Option[] },
 *   keys: { none: string, skip: string, undo: string, goOn: string },
 *   current?: { row: number, place: string, text: string }, last?: { row: number },
 *   counts: { answered: number, noneOfThese: number, skipped: number, rows: number, read: number, leftOut: number },
 *   byAnswer: { [key: string]: number }, rounds: readonly { answered: number, share: number }[],
 *   worth: string, reason?: string, problem?: string, out: string, lesson: string, learned?: string, next: string,
 * }} State
 */

/** The address has no secret, or not the one of this time. */
export class NoSecret extends Error {}

/**
 * @param {string} path
 * @param {object} [body] what is to be changed. Default: nothing
 * @returns {Promise<{ status: number, state?: State, problem?: string }>}
 */
export async function ask(path, body) {
  const headers = { authorization: `Bearer ${location.hash.slice(1)}`, ...(body && { "content-type": "application/json" }) };
  const response = await fetch(`./${path}`, { headers, ...(body && { method: "POST", body: JSON.stringify(body) }) });
  const reply = await response.json();
  if (response.status === 401 || response.status === 421) throw new NoSecret(reply.problem);
  return "revision" in reply ? { status: response.status, state: reply } : { status: response.status, problem: reply.problem };
}
