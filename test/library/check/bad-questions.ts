import type { Question } from "../../../src/library/decide/types.ts";

/** A question that nobody should ask, and the code of the warning that it deserves. */
export interface BadQuestion {
  readonly code: string;
  readonly question: Question;
}

const noul = (code: string, instructions: string, criteria?: { true: string; false: string }): BadQuestion => ({
  code,
  question: criteria === undefined ? { type: "noul", instructions } : { type: "noul", instructions, criteria },
});
const choice = (code: string, instructions: string, criteria: { readonly [key: string]: string | null }): BadQuestion => ({
  code,
  question: { type: "choice", instructions, criteria },
});
const score = (code: string, instructions: string, ...criteria: string[]): BadQuestion => ({
  code,
  question: { type: "score", instructions, criteria },
});

/** What a check finds. */
export const BAD_QUESTIONS: readonly BadQuestion[] = [
  // Two options for one meaning.
  choice("same_options", "What does the customer want?", {
    refund: "get their money back",
    money_back: "have their money returned",
    cancel: "end the contract",
    track: "find out where a parcel is",
  }),
  choice("same_options", "What is the mood of the message?", { happy: null, glad: null, angry: null, sad: null }),
  choice("same_options", "Which team should answer?", {
    billing: "invoices and payments",
    payments: "payments and invoices",
    technical: "bugs and outages",
  }),
  choice("same_options", "What is the text about?", { sport: null, sports: null, politics: null, business: null }),
  choice("same_options", "How does the writer feel?", { positive: null, good: null, negative: null }),
  choice("same_options", "What is reported?", {
    bug: "a defect in the software",
    defect: "an error in the program",
    feature: "a wish for something new",
  }),
  choice("same_options", "Which area does the request concern?", { cars: null, automobiles: null, boats: null, bicycles: null }),
  choice("same_options", "Where should the ticket go?", { Other: "Anything else", misc: "anything else.", sales: "prices and offers" }),
  // Keys without a meaning.
  choice("keys_say_nothing", "What is the text about?", { A: null, B: null, C: null }),
  choice("keys_say_nothing", "Classify the ticket.", { class_1: null, class_2: null, class_3: null }),
  choice("keys_say_nothing", "Sort the mail.", { L1: null, L2: null }),
  choice("keys_say_nothing", "Rate the review.", { "1": null, "2": null, "3": null, "4": null, "5": null }),
  choice("keys_say_nothing", "Is the message urgent?", { "0": null, "1": null }),
  choice("keys_say_nothing", "Which team should answer?", { billing: "invoices, refunds", opt_2: null, sales: "offers" }),
  // Negations.
  noul("negated", "Is it not urgent?"),
  noul("negated", "Isn't the customer angry?"),
  noul("negated", "Doesn't the text mention a price?"),
  noul("negated", "The customer is not satisfied."),
  noul("negated", "Is the message without any greeting?"),
  noul("negated", "Does the text contain no personal data?"),
  noul("negated", "The order hasn't arrived."),
  noul("double_negation", "Is the message not polite?", { true: "not polite", false: "polite" }),
  noul("double_negation", "Isn't the parcel late?", { true: "it did not come late", false: "it came late" }),
  noul("double_negation", "Is it not the case that the customer does not want a refund?"),
  // Two questions in one.
  noul("double_question", "Is it urgent and from a customer?"),
  noul("double_question", "Is the customer angry, and does he want his money back?"),
  noul("double_question", "Is the message a complaint? Is it about delivery?"),
  noul("double_question", "Does the customer complain and ask for a refund?"),
  noul("double_question", "Is the text about sport or is it about politics?"),
  noul("double_question", "The customer is angry and wants a refund."),
  noul("double_question", "Is the review positive and/or does it recommend the product?"),
  // Scales that jump.
  score("scale_order", "How urgent is it?", "high", "low", "medium"),
  score("scale_order", "How often does it happen?", "never", "always", "sometimes"),
  score("scale_order", "How many stars would the writer give?", "5 stars", "4 stars", "3 stars", "2 stars", "1 star"),
  score("scale_order", "How pleased is the guest?", "fairly pleased", "very displeased", "delighted", "neither pleased nor displeased"),
  score("scale_order", "How good is the review?", "good", "bad", "excellent", "terrible"),
  score(
    "scale_order",
    "How positive is the review of the product?",
    "the writer loves it",
    "the writer hates it",
    "the writer likes it",
    "the writer dislikes it",
  ),
  // The wording alone decides.
  noul("wording_decides", "Is it so?"),
  noul("wording_decides", "Could this matter?"),
  // Instructions that ask nothing, or too much.
  choice("empty_instructions", "", { billing: null, technical: null, sales: null }),
  score("empty_instructions", "  ", "low", "medium", "high"),
  choice("no_question", "You are a helpful assistant.", { billing: null, technical: null, sales: null }),
  choice("no_question", "This is a ticket from a customer of our shop.", { billing: null, technical: null, sales: null }),
  score("no_question", "The text below was written by a guest of the hotel.", "bad", "fair", "good"),
  choice(
    "long_instructions",
    `You are an expert. ${"Read the message with great care, think about it step by step, and consider all that was said. ".repeat(6)}Which team should answer?`,
    { billing: null, technical: null, sales: null },
  ),
  choice("long_description", "Which team should answer?", {
    billing: "invoices, payments, refunds",
    technical: "bugs and outages",
    sales:
      "everything that has to do with offers, prices, discounts, contracts, new customers, old customers who want to buy more, partners, resellers, trade fairs, visits, calls, presentations, samples, catalogues and anything that another team would not want to answer",
  }),
];

/** What it does not. */
export const MISSED_QUESTIONS: readonly BadQuestion[] = [
  choice("same_options", "What is the problem?", {
    late: "the parcel came late",
    delayed: "the delivery was delayed",
    broken: "the item is damaged",
    wrong: "another item came",
  }),
  choice("same_options", "Which kind of message is this?", { complaint: null, grievance: null, praise: null, question: null }),
  score("same_options", "How angry is the customer?", "not angry", "annoyed", "irritated", "furious"),
  score("scale_order", "How angry is the customer?", "annoyed", "furious and shouting", "calm and friendly"),
  noul("wording_decides", "Is this a text?"),
  noul("wording_decides", "Is it true?"),
  noul("wording_decides", "May it be true?"),
];
