import { mutatedBodies as makeBodies } from "../shared.mjs";

const AT_ONCE = 4;
const BATCH = 250;
const PATHS = ["/decision/v1/model", "/v1/systemone"];
/** A client that sends far too much may be cut off before it sees a reply. */
const FAR_TOO_MUCH = 1_048_576;

export const mutatedBodies = {
  name: "mutated bodies",
  promise: "an answer or a 4xx, always JSON",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 4, full: 60 },
  async run({ target, seen, isOver }) {
    do {
      const bodies = makeBodies(BATCH, Math.floor(Math.random() * 2 ** 31)).entries();
      const sender = async () => {
        for (const [i, { bytes, headers }] of bodies) {
          if (isOver()) return;
          const reply = await target.ask(bytes, { headers, path: PATHS[i % 2] });
          if (reply.status === "hung up" && bytes.length > FAR_TOO_MUCH) seen.tries++;
          else seen.reply(reply, [200, 400, 404, 413, 415, 422, 429, 529]);
          if (reply.status !== "hung up") seen.expect(isJson(reply), "a reply that is not JSON");
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, sender));
    } while (!isOver());
  },
};

function isJson({ headers, text }) {
  try {
    JSON.parse(text);
    return headers["content-type"] === "application/json";
  } catch {
    return false;
  }
}
