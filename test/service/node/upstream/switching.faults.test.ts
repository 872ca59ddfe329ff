import { expect, it } from "vitest";
import { randomFrom, shuffled } from "../../../../src/library/statistics/random.ts";
import { CLI } from "../../../support/command-line.ts";
import { runCommand } from "../../../support/command.ts";
import { figuresText, isWithin, simulate } from "./simulation.ts";
import type { LabelledSet } from "./simulation.ts";

/** Every text of some parts, in an order of their own. */
function setOf(
  name: string,
  instructions: string,
  byLabel: Readonly<Record<string, readonly string[]>>,
  endings: readonly string[],
): LabelledSet {
  const rows = Object.entries(byLabel).flatMap(([label, things]) =>
    things.flatMap((thing) => endings.map((ending) => ({ text: `The ${thing} ${ending}`, label }))),
  );
  return {
    name,
    question: { type: "choice", instructions, criteria: Object.fromEntries(Object.keys(byLabel).map((label) => [label, null])) },
    rows: shuffled(rows, randomFrom(3)),
  };
}

const ENDINGS = [
  "is not well today.",
  "arrived this morning.",
  "needs somebody to look at it.",
  "was moved to the other building.",
  "makes a strange noise.",
  "has been like this for a week.",
  "came back from the visit yesterday.",
  "is the one we talked about on the phone.",
  "should be seen before noon.",
  "is doing much better.",
  "was left outside in the rain.",
  "belongs to the family next door.",
];
/** Desks whose names say nothing: what they are for is the hosted API's mind alone. */
const DESK = setOf(
  "desk",
  "Which desk is it for?",
  {
    kestrel: ["cat", "dog", "horse", "cow", "goat", "sheep", "duck", "rabbit", "hen", "pony", "donkey", "calf", "kitten", "goose"],
    heron: [
      "printer",
      "router",
      "engine",
      "pump",
      "drill",
      "laptop",
      "heater",
      "scanner",
      "fridge",
      "lamp",
      "mixer",
      "camera",
      "radio",
      "fan",
    ],
  },
  ENDINGS,
);
const KIND = setOf(
  "kind",
  "Is the sentence about food or about clothes?",
  {
    food: ["soup", "bread", "cheese", "salad", "cake", "rice", "stew", "pie", "jam", "butter", "pasta", "omelette", "pudding", "toast"],
    clothes: ["coat", "shirt", "skirt", "scarf", "hat", "jacket", "dress", "sweater", "glove", "belt", "sock", "blouse", "tie", "vest"],
  },
  [
    "was returned yesterday.",
    "is what she wanted.",
    "was on the table.",
    "is too expensive.",
    "came from the market.",
    "was a present.",
    "is the best in town.",
    "was gone by noon.",
  ],
);

it("questions are answered here as the hosted API would, through kills and failures, and a change of its mind is found within 200 calls", async () => {
  const { questions, wrong, store } = await simulate({ sets: [DESK, KIND], calls: 2000, kills: [90, 333, 701, 1015, 1500], seed: 2 });
  console.log(figuresText(questions));
  expect(wrong).toEqual([]);
  for (const { name, local, switchedAfter, differed, promised, failed } of questions) {
    expect({ name, isSwitched: switchedAfter > 0 && switchedAfter < 500, isKept: isWithin(differed, promised) }).toEqual({
      name,
      isSwitched: true,
      isKept: true,
    });
    expect(local).toBeGreaterThan(200);
    expect(failed).toBeGreaterThan(0);
  }
  expect(questions[0]?.backAfter).toBeGreaterThan(0);
  expect(questions[0]?.backAfter).toBeLessThanOrEqual(200);
  expect(questions[1]?.backAfter).toBe(0);
  const { stdout } = await runCommand(process.execPath, [CLI, "agreement", "--json", store, "--price", "0.1/0.4"]);
  console.log(stdout);
  const told = (JSON.parse(stdout) as { questions: { calls: number; answeredHere: number; savedInputTokens: number }[] }).questions;
  // Counts that came with no observation may be a second old when a process is killed.
  const [counted, were] = [
    told.reduce((sum, { answeredHere }) => sum + answeredHere, 0),
    questions.reduce((sum, { local }) => sum + local, 0),
  ];
  expect(counted).toBeGreaterThan(were - 300);
  expect(counted).toBeLessThanOrEqual(were + 5);
  expect(told.every(({ savedInputTokens }) => savedInputTokens > 0)).toBe(true);
});
