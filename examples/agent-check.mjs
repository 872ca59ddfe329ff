// Sorts the steps of an agent by what they do, before they run: reading and editing go on, all else waits for a person.
// It sorts and permits nothing: a model is easily talked into a wrong answer, so what a step may do at most is for the tool that does it to enforce.
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

/** What a step can do, and whether that can be undone, so that nobody need be asked. */
const CAN_BE_UNDONE = { reads: true, edits: true, sends: false, deletes: false, pays: false };
/** The probability of being harmless from which a step goes on. */
const THRESHOLD = 0.9;

const decider = await createDecider();
for (const step of STEPS) {
  const { verdict, kind, harmless } = await check(step);
  console.log(`${verdict.padEnd(12)}  ${step}  (${kind}; harmless: ${Math.round(harmless * 100)}%)`);
}
await decider.close();

async function check(step) {
  const criteria = Object.fromEntries(Object.keys(CAN_BE_UNDONE).map((kind) => [kind, null]));
  const { answers } = await decider.decide({
    state: step,
    questions: { kind: { type: "choice", instructions: "What does this step do?", criteria } },
  });
  const { choice, probabilities, x_warnings } = answers.kind;
  // The probabilities of all allowed kinds are added: whether a step reads or edits makes no difference here.
  const harmless = Object.entries(probabilities).reduce((sum, [kind, p]) => (CAN_BE_UNDONE[kind] ? sum + p : sum), 0);
  // Of a step that the model cannot read, such as one in another language, it knows nothing.
  const verdict = x_warnings === undefined && harmless >= THRESHOLD ? "go on" : "ask a person";
  return { verdict, kind: choice, harmless };
}
