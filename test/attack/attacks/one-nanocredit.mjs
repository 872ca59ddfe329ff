import { requestOf, stateOf } from "../requests.mjs";

const REQUESTS = 12;
const noul = { type: "noul", instructions: "Is it about a cat?" };
const body = requestOf({ cat: noul }, stateOf(2000));

/** A key that cannot pay lets us work for nothing. */
export const oneNanocredit = {
  name: "requests of 2,000 tokens with a balance of one nanocredit",
  promise: "402 before any work: 12 of them take less processor time than one that is paid",
  needs: { keys: ["rich", "poor"], credits: { poor: 1 }, honest: false },
  // The model needs it for a state of 2,000 tokens.
  allows: { growthMb: 600 },
  seconds: { short: 1, full: 1 },
  async run({ target, seen }) {
    // The first is not measured: it warms the model up.
    for (let i = 0; i < 2; i++) seen.reply(await target.ask(body, { key: "rich" }), [200]);
    const paidMs = await processorMs(target, async () => seen.reply(await target.ask(body, { key: "rich" }), [200]));
    const freeMs = await processorMs(target, async () => {
      const asked = Array.from({ length: REQUESTS }, () => target.ask(body, { key: "poor" }));
      for (const reply of await Promise.all(asked)) seen.reply(reply, [402]);
    });
    seen.note(`${Math.round(freeMs)} ms of processor for ${REQUESTS}, ${Math.round(paidMs)} ms for one that is paid`);
    seen.expect(freeMs < paidMs, "requests that cannot be paid are computed");
  },
};

async function processorMs(target, task) {
  const before = await target.processorMs();
  await task();
  return (await target.processorMs()) - before;
}
