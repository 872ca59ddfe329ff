// npm run bench:practical -- --model umpire-3-base --max-error-rate 0.1: decisions as users ask them, by kind: how many are right, how many of the sure ones
// are wrong, and how many of those that may be acted on. bench/practical/README.md says which decisions these are.
import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createDecider } from "umpire";
import { columns } from "./accuracy/library.mjs";
import { readDecisions } from "./practical/decisions.mjs";

const SURE = 0.8;

const { values } = parseArgs({
  options: {
    model: { type: "string", default: "umpire-2" },
    "max-error-rate": { type: "string", default: "0.1" },
    wrong: { type: "boolean", default: false },
  },
});
const maxErrorRate = Number(values["max-error-rate"]);

const kinds = await readDecisions((file) => readFile(new URL(`practical/${file}`, import.meta.url), "utf8"));
const decider = createDecider({ model: values.model });
const { model } = await decider.info();
const rows = [];
for (const { kind, decisions } of kinds) {
  const answered = [];
  for (const { state, question, truth } of decisions) {
    const { answer } = (await decider.decide({ state, questions: { answer: question } }, { maxErrorRate })).answers;
    answered.push({ state, truth, said: saidIn(answer), ...answer });
  }
  const isWrong = ({ said, truth }) => said !== truth;
  const sure = answered.filter(({ x_accuracy = 0 }) => x_accuracy >= SURE);
  const acted = answered.filter(({ x_act }) => x_act);
  rows.push([
    kind,
    answered.length,
    answered.length - answered.filter(isWrong).length,
    sure.length,
    sure.filter(isWrong).length,
    acted.length,
    acted.filter(isWrong).length,
  ]);
  if (values.wrong)
    for (const { state, truth, said, x_accuracy } of answered.filter(isWrong))
      console.log(`${kind}: ${said}, not ${truth} (${x_accuracy?.toFixed(2)}): ${state}`);
}
await decider.close();

const sum = rows[0].slice(1).map((_, i) => rows.reduce((total, row) => total + row[i + 1], 0));
const head = [model, "decisions", "right", `sure (${SURE})`, "sure, wrong", `acted on (${maxErrorRate})`, "acted on, wrong"];
console.log(columns([head, ...[...rows, ["all", ...sum]].map((row) => row.map(String))]));

/** The likeliest option; of a yes/no question "yes" or "no". */
function saidIn(answer) {
  if (answer.type === "noul") return answer.noul >= 0.5 ? "yes" : "no";
  return Object.entries(answer.probabilities).reduce((best, entry) => (entry[1] > best[1] ? entry : best), ["", -1])[0];
}
