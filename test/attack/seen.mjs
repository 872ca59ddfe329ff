import { leaksIntoError } from "./markers.mjs";

/** What came of a try that the server did not look at. */
const UNREAD = ["429", "529", "hung up", "timeout"];

/** What an attack tried and saw, and what was wrong with it. */
export class Seen {
  tries = 0;
  /** Tries by what came of them. */
  statuses = {};
  /** Short texts that tell what else was seen. */
  notes = [];
  /** Each fault with the times that it was found. */
  faults = new Map();

  fault(text) {
    this.faults.set(text, (this.faults.get(text) ?? 0) + 1);
  }

  /** A fault unless it holds. */
  expect(holds, text) {
    if (!holds) this.fault(text);
  }

  note(text) {
    this.notes.push(text);
  }

  /** Counts a try by what came of it: a status, or an error's code. */
  count(outcome) {
    this.tries++;
    this.statuses[outcome] = (this.statuses[outcome] ?? 0) + 1;
  }

  /**
   * Counts a reply, and checks what holds for all replies: bad input is never a 5xx, and errors quote no text.
   * @param {(string | number)[]} [expected] statuses that may be; default: any that is no 5xx
   */
  reply({ status, text }, expected) {
    this.count(status);
    if (expected !== undefined && !expected.includes(status)) this.fault(`a reply with ${status}`);
    else if (expected === undefined && status >= 500 && status !== 529) this.fault(`a reply with ${status}`);
    if (status !== 200 && leaksIntoError(text)) this.fault("an error quotes what was sent");
  }

  /** Whether the server looked at none of the tries that were counted: then the attack proves nothing. */
  get isUnread() {
    const outcomes = Object.keys(this.statuses);
    return outcomes.length > 0 && outcomes.every((outcome) => UNREAD.includes(outcome));
  }

  /** Adds what another attack on the same server tried. */
  add({ tries, statuses }) {
    this.tries += tries;
    for (const [status, count] of Object.entries(statuses)) this.statuses[status] = (this.statuses[status] ?? 0) + count;
  }
}
