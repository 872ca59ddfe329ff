// npm run bench:agreement [-- file.jsonl[.gz]]: measures how often wasm in Chromium and Node decide alike, both in int8.
// Default: the hand-written questions of the eval sets.
import { fileURLToPath } from "node:url";
import { createDecider } from "umpire";
import { max, mean } from "simple-statistics";
import { readQuestions } from "../accuracy/read-questions.mjs";
import { launchChromium } from "./chromium.mjs";
import { visit } from "./contenders.mjs";
import { startSite } from "./site.mjs";

const file = process.argv[2] ?? fileURLToPath(new URL("../../../shared/data/decisions/eval/authored.jsonl.gz", import.meta.url));

const probabilitiesOf = (answer) => (answer.type === "noul" ? [answer.noul, 1 - answer.noul] : Object.values(answer.probabilities));

/** Index of the largest probability; in a tie, the first. */
const decision = (probabilities) => probabilities.indexOf(Math.max(...probabilities));

/** Compares two answers to one question. */
function compared(one, other) {
  const [p, q] = [probabilitiesOf(one), probabilitiesOf(other)];
  return { same: decision(p) === decision(q), apart: Math.max(...p.map((value, i) => Math.abs(value - q[i]))) };
}

const { cases } = await readQuestions(file);
const requests = cases.map(({ state, questions }) => ({ state, questions }));
const site = await startSite();
const browser = await launchChromium();
const node = await createDecider();
try {
  const { info, decide } = await visit(browser, site, { page: "umpire", options: { device: "wasm" } }).then(async ({ first, page }) => ({
    info: first.info,
    // Passed as text, because a key like __proto__ would be lost in an object.
    decide: async (request) => JSON.parse(await page.evaluate((json) => globalThis.decide(json), JSON.stringify(request))),
  }));
  const answers = [];
  for (const request of requests) {
    const [here, there] = await Promise.all([node.decide(request), decide(request)]);
    for (const id of Object.keys(here.answers)) answers.push(compared(here.answers[id], there.answers[id]));
  }
  const others = answers.filter(({ same }) => !same);
  const apart = answers.map((answer) => answer.apart);
  console.log(
    `${answers.length} questions, ${info.precision} on ${info.device} with ${info.threads} thread(s) and on Node: ${others.length} different decisions, ` +
      `${(100 * (1 - others.length / answers.length)).toFixed(2)}% the same; probabilities differ by ${mean(apart).toFixed(4)} on average, by ${max(apart).toFixed(4)} at most` +
      (others.length > 0 ? `, and by at most ${max(others.map((answer) => answer.apart)).toFixed(4)} where the decisions differ` : ""),
  );
} finally {
  await node.close();
  await browser.close();
  site.close();
}
