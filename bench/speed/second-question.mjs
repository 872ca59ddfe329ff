// A second question to a state that is read already, beside the first one.
import { createDecider } from "umpire";
import { figuresOf, ratioOf } from "./figures.mjs";
import { requestOf } from "./requests.mjs";
import { timed } from "./turns.mjs";

/** One question of each request is asked first, then the other one. */
const READ = { options: 10, tokens: 2048, questions: 2 };
/** Small enough for what is kept by default (`cacheBytes`). */
const REPEATED = { options: 10, tokens: 512, questions: 2 };
/** Second questions in a turn. */
const SECOND_QUESTIONS = 5;

/**
 * By a reading, which holds the state; and by decide() with the same state again, which keeps those that it read last.
 * @param {(size: import("./requests.mjs").Size) => import("./requests.mjs").Asked} ask
 * @param {{ turns: number }} plan
 */
export async function secondQuestion(ask, { turns }) {
  const decider = await createDecider();
  const byReading = await measured(ask(READ), turns, decider.read ? throughReading : throughDecide, decider);
  const byRepeating = await measured(ask(REPEATED), turns, throughDecide, decider);
  await decider.close();
  return { ...byReading, hasReading: decider.read !== undefined, repeated: byRepeating };
}

async function measured(asked, turns, ways, decider) {
  const [first, second] = [[], []];
  for (let turn = -1; turn < turns; turn++) {
    const { state, questions } = requestOf(asked, turn + 1);
    const { firstMs, secondMs } = await ways(decider, state, questions.q1, questions.q2);
    // What a session and a compiler do only once is not counted.
    if (turn < 0) continue;
    first.push([firstMs]);
    second.push(secondMs);
  }
  return { tokens: asked.size.tokens, first: figuresOf(first), second: figuresOf(second), ratio: ratioOf(first, second) };
}

async function throughReading(decider, state, first, second) {
  let reading;
  const firstMs = await timed(async () => {
    reading = await decider.read(state);
    await reading.decide({ topic: first });
  });
  const secondMs = await timesOf(() => reading.decide({ topic: second }));
  await reading.close();
  return { firstMs, secondMs };
}

async function throughDecide(decider, state, first, second) {
  const firstMs = await timed(() => decider.decide({ state, questions: { topic: first } }));
  return { firstMs, secondMs: await timesOf(() => decider.decide({ state, questions: { topic: second } })) };
}

async function timesOf(task) {
  const times = [];
  for (let i = 0; i < SECOND_QUESTIONS; i++) times.push(await timed(task));
  return times;
}
