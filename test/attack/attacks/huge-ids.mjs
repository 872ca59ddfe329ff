import { longId, optionsQuestion, requestOf } from "../requests.mjs";

const LONGEST_REPLY = 300_000;
const noul = { type: "noul", instructions: "Was the parcel late?" };
/** One more than a model reads of an option. */
const TOO_LONG = 260;

const REQUESTS = [
  requestOf({ [longId(900_000)]: optionsQuestion(255, TOO_LONG) }),
  requestOf({ [longId(970_000)]: noul }),
  requestOf({
    which: { ...optionsQuestion(254, TOO_LONG), criteria: { ...optionsQuestion(254, TOO_LONG).criteria, [longId(900_000)]: null } },
  }),
  requestOf(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`${i}${longId(4000)}`, { type: "noul" }]))),
  requestOf({
    which: {
      type: "choice",
      instructions: "?",
      criteria: Object.fromEntries(Array.from({ length: 255 }, (_, i) => [`${i}${longId(3500)}`, "!".repeat(TOO_LONG)])),
    },
  }),
];

/** Ids of a megabyte, which every issue about their question would name. */
export const hugeIds = {
  name: "ids of a megabyte, with hundreds of issues",
  promise: "413 or 422, 100 issues at most, memory +128 MB at most",
  needs: { keys: ["honest", "attacker"] },
  allows: { growthMb: 128 },
  seconds: { short: 3, full: 15 },
  async run({ target, seen, isOver }) {
    for (let i = 0; i < REQUESTS.length || !isOver(); i++) {
      const reply = await target.ask(REQUESTS[i % REQUESTS.length]);
      seen.reply(reply, [413, 422, 429]);
      seen.expect(reply.text.length < LONGEST_REPLY, `a reply of ${reply.text.length} characters`);
      seen.expect(issuesIn(reply) <= 100, "more than 100 issues in a reply");
    }
  },
};

/** How many issues an error lists. */
export function issuesIn({ text }) {
  if (!text.startsWith("{")) return 0;
  const { detail, error } = JSON.parse(text);
  return Math.max(Array.isArray(detail) ? detail.length : 0, error?.x_issues?.length ?? 0);
}
