// A second question to a state that is read already, beside the first one.
import { createDecider } from "umpire";
import { figuresOf, ratioOf } from "./figures.mjs";
import { requestOf } from "./requests.mjs";
import { timed } from "./turns.mjs";

/** Of one question each, the second with other instructions and options. */
const SIZE = { options: 10, tokens: 2048, questions: 2 };
/** Questions asked after the first, in a turn. */
const SECOND_QUESTIONS = 5;

/**
 * @param {(size: import("./requests.mjs").Size) => import("./requests.mjs").Asked} ask
 * @param {{ turns: number }} plan
 */
export async function secondQuestion(ask, { turns }) {
  const asked = ask(SIZE);
  const decider = await createDecider();
  const [first, second, repeated] = [[], [], []];
  for (let turn = -1; turn < turns; turn++) {
    const { state, questions } = requestOf(asked, turn + 1);
    const { q1, q2 } = questions;
    const times = await (decider.read ? throughReading : repeatedState)(decider, state, q1, q2);
    // What was cached for decide() itself, without a reading.
    const again = await repeatedState(decider, requestOf(asked, turn + 5000).state, q1, q2);
    if (turn < 0) continue;
    first.push([times.firstMs]);
    second.push(times.secondMs);
    repeated.push(again.secondMs);
  }
  await decider.close();
  return {
    name: `second question of ${SIZE.options} options to ${SIZE.tokens.toLocaleString("en")} tokens`,
    throughReading: decider.read !== undefined,
    first: figuresOf(first),
    second: figuresOf(second),
    ratio: ratioOf(first, second),
    repeatedState: { second: figuresOf(repeated), ratio: ratioOf(first, repeated) },
  };
}

async function throughReading(decider, state, first, second) {
  let reading;
  const firstMs = await timed(async () => {
    reading = await decider.read(state);
    await reading.decide({ topic: first });
  });
  const secondMs = [];
  for (let i = 0; i < SECOND_QUESTIONS; i++) secondMs.push(await timed(() => reading.decide({ topic: second })));
  await reading.close();
  return { firstMs, secondMs };
}

async function repeatedState(decider, state, first, second) {
  const firstMs = await timed(() => decider.decide({ state, questions: { topic: first } }));
  const secondMs = [];
  for (let i = 0; i < SECOND_QUESTIONS; i++) secondMs.push(await timed(() => decider.decide({ state, questions: { topic: second } })));
  return { firstMs, secondMs };
}
