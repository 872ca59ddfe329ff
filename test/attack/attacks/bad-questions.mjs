import { TEXT_MARKER } from "../markers.mjs";
import { requestOf } from "../requests.mjs";
import { issuesIn } from "./huge-ids.mjs";

const CALLERS = 8;
const many = (count, item) => Array.from({ length: count }, (_, i) => item(i));
const byNumber = (count, item) => Object.fromEntries(many(count, (i) => [i, item(i)]));

const BODIES = [
  requestOf(byNumber(60_000, (i) => i)),
  requestOf(byNumber(20_000, () => ({ type: "noul" }))),
  requestOf(byNumber(256, () => ({ type: "score", criteria: many(200, () => null) }))),
  requestOf({ which: { type: "choice", criteria: byNumber(60_000, () => 1) } }),
  requestOf({ which: { type: "score", criteria: many(60_000, () => null) } }),
  requestOf(
    {},
    many(65_000, () => null),
  ),
  many(60_000, () => TEXT_MARKER.slice(0, 8)),
].map((body) => JSON.stringify(body));

/** Bodies in which everything is wrong. */
export const badQuestions = {
  name: "bodies of 60,000 bad questions",
  promise: "422 with 100 issues at most, another key's p99 in 2 s",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 5, full: 30 },
  async run({ target, seen, isOver }) {
    let next = 0;
    const caller = async () => {
      while (!isOver()) {
        const reply = await target.ask(BODIES[next++ % BODIES.length]);
        seen.reply(reply, [413, 422, 429]);
        seen.expect(issuesIn(reply) <= 100, "more than 100 issues in a reply");
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
  },
};
