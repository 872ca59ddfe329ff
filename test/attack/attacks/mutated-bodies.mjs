import { TEXT_MARKER } from "../markers.mjs";
import { foreignBodies, mutatedBodies as makeBodies } from "../shared.mjs";

const AT_ONCE = 4;
const BATCH = 250;
const PATHS = ["/decision/v1/model", "/v1/systemone"];
/** A client that sends far too much may be cut off before it sees a reply. */
const FAR_TOO_MUCH = 1_048_576;
/** That many are sent, however long it takes: fewer would find too little. */
const AT_LEAST = 2000;

const newSeed = () => Math.floor(Math.random() * 2 ** 31);

async function sendAll(bodies, { target, seen }, isEnough) {
  const left = bodies.values();
  const sender = async () => {
    for (const { bytes, headers, path } of left) {
      if (isEnough()) return;
      const reply = await target.ask(bytes, { headers, path });
      if (reply.status === "hung up" && bytes.length > FAR_TOO_MUCH) seen.tries++;
      else seen.reply(reply, [200, 400, 404, 413, 415, 422, 429, 529]);
      if (reply.status !== "hung up") seen.expect(isJson(reply), "a reply that is not JSON");
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, sender));
}

export const mutatedBodies = {
  name: "mutated bodies",
  promise: "an answer or a 4xx, always JSON",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 4, full: 60 },
  async run(tools) {
    do {
      const bodies = makeBodies(BATCH, newSeed()).map((body, i) => ({ ...body, path: PATHS[i % 2] }));
      await sendAll(bodies, tools, tools.isOver);
    } while (!tools.isOver());
  },
};

export const foreignMutatedBodies = {
  name: "mutated bodies of other clients",
  promise: "an answer or a 4xx, always JSON; no text and no key in an error or a log",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 8, full: 60 },
  async run(tools) {
    const { seen, target, isOver } = tools;
    do {
      const isEnough = () => target.hasEnded || (isOver() && seen.tries >= AT_LEAST);
      await sendAll(foreignBodies(AT_LEAST, newSeed(), TEXT_MARKER), tools, isEnough);
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
