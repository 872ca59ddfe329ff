// What teaching costs, through the public API: time against deciding the same texts, memory, and what a lesson adds to a decision.
import { createDecider } from "umpire";
import { columns, randomFrom } from "../accuracy/library.mjs";

const OPTIONS = ["billing", "delivery", "returns", "account", "technical", "product", "complaint", "praise", "cancellation", "other"];
const QUESTION = {
  type: "choice",
  instructions: "What is the message about?",
  criteria: Object.fromEntries(OPTIONS.map((option) => [option, null])),
};
const WORDS =
  "invoice parcel refund login error size late broken thanks cancel order card password driver colour week shop help please again".split(
    " ",
  );
const MANY = 10_000;

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** About 100 tokens each; the answer is in the words. */
function examplesOf(count, random) {
  return Array.from({ length: count }, () => {
    const k = Math.floor(random() * OPTIONS.length);
    const words = Array.from({ length: 98 }, () => WORDS[Math.floor(random() ** (1 + k / 5) * WORDS.length)]);
    return { state: words.join(" "), answer: OPTIONS[k] };
  });
}

async function timed(task) {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

export async function printCosts() {
  const random = randomFrom(1);
  const decider = await createDecider();
  try {
    await printCostsOf(decider, random);
  } finally {
    await decider.close();
  }
}

async function printCostsOf(decider, random) {
  const examples = examplesOf(200, random);
  const decideAll = () => Promise.all(examples.map(({ state }) => decider.decide({ state, questions: { about: QUESTION } })));
  await decideAll();
  const [deciding, teaching, fitting] = [[], [], []];
  let lesson;
  for (let turn = 0; turn < 5; turn++) {
    deciding.push(await timed(decideAll));
    let read = 0;
    teaching.push(
      await timed(async () => {
        const onProgress = ({ stage }) => (stage === "reading" ? (read = performance.now()) : undefined);
        lesson = await decider.teach(QUESTION, examples, { onProgress });
        fitting.push(performance.now() - read);
      }),
    );
  }
  const ratios = teaching.map((ms, i) => ms / deciding[i]);
  const [plain, withLesson] = await decisions(decider, examples, lesson);
  console.log(
    columns([
      ["200 examples of 100 tokens, 10 options", ""],
      ["deciding them once", `${median(deciding).toFixed(0)} ms`],
      ["teaching", `${median(teaching).toFixed(0)} ms`],
      ["teaching / deciding", median(ratios).toFixed(2)],
      ["of that, fitting", `${median(fitting).toFixed(0)} ms`],
      ["a decision without a lesson", `${plain.toFixed(2)} ms`],
      ["a decision with it", `${withLesson.toFixed(2)} ms`],
      ["with / without", (withLesson / plain).toFixed(3)],
      ["the lesson as JSON", `${(JSON.stringify(lesson).length / 1000).toFixed(0)} kB`],
    ]),
  );
  await printMemory(decider, random);
}

/** Medians of decisions with and without the lesson, in turns. Without it a question of the same length is asked. */
async function decisions(decider, examples, lesson) {
  await decider.learn(lesson);
  const other = { ...QUESTION, instructions: "What is the message on?" };
  const [plain, withLesson] = [[], []];
  for (const { state } of [...examples, ...examples]) {
    plain.push(await timed(() => decider.decide({ state, questions: { about: other } })));
    withLesson.push(await timed(() => decider.decide({ state, questions: { about: QUESTION } })));
  }
  return [median(plain), median(withLesson)];
}

/** How much more memory the process needs at most while it learns from many examples. */
async function printMemory(decider, random) {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 50);
  // Short texts: what is kept of an example does not depend on its length.
  const short = examplesOf(MANY, random).map(({ state, answer }) => ({ state: state.split(" ").slice(0, 8).join(" "), answer }));
  const ms = await timed(() => decider.teach(QUESTION, short));
  clearInterval(watch);
  console.log(`\n${MANY} examples of 8 words: ${(ms / 1000).toFixed(1)} s, ${((most - before) / 2 ** 20).toFixed(0)} MiB more at most.`);
}
