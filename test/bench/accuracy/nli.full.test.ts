import { createDecider } from "umpire";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PACK_URL } from "../../support/package-root.ts";
import { load } from "./modules.ts";
import type { Nli } from "./modules.ts";

const { openNli } = await load("nli");
const { asChoices } = await load("nli-as-choice");

const PREMISE = `${"The tide was out and the boats lay on the sand. ".repeat(60)}A man in a red coat was mending a net.`;
const HYPOTHESES = ["A man was mending a net.", "The man wore a blue coat."] as const;
const TWO = ["entailment", "not_entailment"];
const THREE = ["entailment", "neutral", "contradiction"];

let nli: Nli;
beforeAll(async () => {
  nli = await openNli(PACK_URL, { precision: "int8", threads: 1 });
});
afterAll(() => nli.release());

it("reads premise and hypothesis like the library: the log-odds are those of options without a question", async () => {
  await using decider = await createDecider();
  const { calibration } = await decider.info();
  const [a, b] = HYPOTHESES;
  const { answers } = await decider.decide({
    state: PREMISE,
    questions: { q: { type: "choice", instructions: "", criteria: { a, b } } },
  });
  const logOdds: number[] = [];
  for (const hypothesis of HYPOTHESES) {
    const { said, probability } = await nli.judge({ label: "entailment", premise: PREMISE, hypothesis }, TWO);
    const entailed = said === "entailment" ? probability : 1 - probability;
    logOdds.push(Math.log(entailed / (1 - entailed)));
  }
  const difference = (logOdds[0] ?? NaN) - (logOdds[1] ?? NaN);
  const { a: first, b: second } = answers.q.probabilities;
  // Beside another option, int8 now and then rounds to the next step.
  expect(difference / (calibration.choice[0]?.temperature ?? NaN)).toBeCloseTo(Math.log(first / second), 2);
  expect(Math.abs(difference)).toBeGreaterThan(0.1);
});

it("distinguishes three labels, or two if neutral and contradiction count as one", async () => {
  const row = { label: "entailment", premise: "A man is mending a net.", hypothesis: "A man is mending a net." };
  const three = await nli.judge(row, THREE);
  expect(three).toMatchObject({ type: "nli", options: THREE, truth: "entailment", said: "entailment" });
  expect((await nli.judge(row, TWO)).probability).toBeCloseTo(three.probability, 6);
  const against = await nli.judge({ ...row, hypothesis: "Nobody is mending a net." }, THREE);
  expect(against.said).toBe("contradiction");
});

it("asks the same through the public API, with a statement for each label", () => {
  const rows = THREE.map((label, i) => ({ line: i + 1, label, premise: "p", hypothesis: "It rains." }));
  const cases = asChoices({ rows, labels: THREE });
  expect(cases.map(({ truths }) => truths["statement"])).toEqual(["a", "b", "c"]);
  expect(cases[0]?.questions["statement"]?.["criteria"]).toEqual({
    a: "It rains.",
    b: "It cannot be told whether this is so: It rains.",
    c: "This is false: It rains.",
  });
});
