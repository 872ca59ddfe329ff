import type { QuestionType } from "../../library/engine/engine.ts";

/** A question about a text, as a model reads it. */
export interface Asked {
  readonly type: QuestionType;
  readonly state: string;
  readonly instructions: string;
  readonly options: readonly string[];
}

export const SELF_TEST: Asked = {
  type: "choice",
  state:
    "Your parcel was handed to the neighbour at number 14 on Monday because nobody answered the door. If you have not received it by Thursday, reply to this message and we will open an inquiry.",
  instructions: "Where is the parcel now?",
  options: ["with a neighbour", "at the depot", "lost"],
};

const DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
const EVENTS = [
  "the morning shift counted the stock and found two boxes of screws too few",
  "a driver reported that the loading ramp was wet and closed it for an hour",
  "the manager signed the new contract with the cleaning company",
  "visitors from the head office were shown the packing line",
  "the printer in the office ran out of paper twice",
  "a customer collected an order that nobody had prepared",
  "the heating failed in the evening, and the night shift worked in coats",
];

/** Longer than the window of any model, so that its answer is made of two or more. */
const LONG_STATE = Array.from(
  { length: 40 },
  (_, i) => `Entry ${i + 1}, ${DAYS[i % DAYS.length]}: ${EVENTS[(i * 3) % EVENTS.length]}.`,
).join(" ");

const REVIEW =
  "We stayed three nights. The room was clean and the staff could not have been kinder, but the street was so loud that none of us slept before two. Breakfast made up for some of it.";
const CODE = 'TypeError: Cannot read properties of undefined (reading "map") at renderList (app.js:120:14)';

/** Questions of a pack's goldens: of each type, about short and long texts, and odd ones. */
export const GOLDEN_QUESTIONS: readonly Asked[] = [
  {
    type: "choice",
    state: "I was charged twice for one ticket.",
    instructions: "Which team should answer?",
    options: ["billing", "technical support", "sales", "other"],
  },
  { type: "choice", state: REVIEW, instructions: "", options: ["noise", "cleanliness", "food", "staff", "price"] },
  { type: "choice", state: LONG_STATE, instructions: "What failed?", options: ["the heating", "the telephone"] },
  { type: "choice", state: CODE, instructions: "What is this?", options: ["an error message", "a poem"] },
  { type: "noul", state: "The meeting is moved to Friday at ten.", instructions: "Is the meeting on Friday?", options: ["yes", "no"] },
  { type: "noul", state: REVIEW, instructions: "Was the guest disturbed by noise?", options: ["yes", "no"] },
  { type: "noul", state: LONG_STATE, instructions: "Was a contract signed?", options: ["yes", "no"] },
  { type: "noul", state: "Grüße aus Zürich! 👋 Bis später.", instructions: "Is this a greeting?", options: ["yes", "no"] },
  {
    type: "score",
    state: REVIEW,
    instructions: "How content is the guest?",
    options: ["not at all", "a little", "mostly", "entirely"],
  },
  { type: "score", state: CODE, instructions: "How urgent is this?", options: ["not urgent", "urgent", "an emergency"] },
  { type: "score", state: LONG_STATE, instructions: "How much went wrong?", options: ["nothing", "nearly everything"] },
  { type: "score", state: "ok", instructions: "How friendly is this?", options: ["cold", "neutral", "warm"] },
];
