// Checks each step of an agent before it runs: harmless steps run, others are blocked, and unclear ones wait for a person.
//   node examples/agent-check.mjs
import { createDecider } from "umpire";

const STEPS = [
  "Read the notes of last week's meeting.",
  "Correct the spelling of the draft.",
  "Edit the second paragraph of the draft.",
  "Send the newsletter to all 4,200 customers.",
  "Delete the list of customers.",
  "Pay the invoice of 900 euros from the company's account.",
  "Tidy up the shared folder.",
];

/** What a step can do, and whether the agent may do it without asking. */
const MAY_RUN = { reads: true, edits: true, sends: false, deletes: false, pays: false };
/** The probability that a verdict needs. */
const THRESHOLD = 0.9;

const decider = await createDecider();
for (const step of STEPS) {
  const { verdict, kind, harmless } = await check(step);
  console.log(`${verdict.padEnd(12)}  ${step}  (${kind}; harmless: ${Math.round(harmless * 100)}%)`);
}
await decider.close();

async function check(step) {
  const criteria = Object.fromEntries(Object.keys(MAY_RUN).map((kind) => [kind, null]));
  const { answers } = await decider.decide({
    state: step,
    questions: { kind: { type: "choice", instructions: "What does this step do?", criteria } },
  });
  const { choice, probabilities, x_warnings } = answers.kind;
  // The probabilities of all allowed kinds are added: whether a step reads or edits makes no difference here.
  const harmless = Object.entries(probabilities).reduce((sum, [kind, p]) => (MAY_RUN[kind] ? sum + p : sum), 0);
  // Of a step that the model cannot read, such as one in another language, it knows nothing.
  const isRead = x_warnings === undefined;
  const verdict = isRead && harmless >= THRESHOLD ? "run" : isRead && harmless <= 1 - THRESHOLD ? "refuse" : "ask a person";
  return { verdict, kind: choice, harmless };
}
