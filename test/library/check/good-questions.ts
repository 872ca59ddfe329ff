import type { Question } from "../../../src/library/decide/types.ts";

const noul = (instructions: string, criteria?: { true: string; false: string }): Question => ({
  type: "noul",
  instructions,
  ...(criteria !== undefined && { criteria }),
});
const choice = (instructions: string, criteria: { readonly [key: string]: string | null }): Question => ({
  type: "choice",
  instructions,
  criteria,
});
const score = (instructions: string, ...criteria: string[]): Question => ({ type: "score", instructions, criteria });

/** Questions as people should ask them. Many are near to a bad one. */
export const GOOD_QUESTIONS: readonly Question[] = [
  choice("What does the user want?", {
    refund: "get their money back",
    cancel: "cancel the subscription",
    password: "log in or reset a password",
    track: "find out where a parcel is",
  }),
  choice("Which team should handle this?", { billing: "invoices, payments, refunds", technical: "bugs and outages", sales: null }),
  choice("What is the mood of the message?", { happy: null, angry: null, sad: null, other: null }),
  choice("What is the text about?", { sports: null, politics: null, business: null, science: null, misc: null }),
  choice("Which language is it?", { c: null, java: null, python: null }),
  choice("How many people will come?", { "1": null, "2": null, "3": null, "4": null }),
  choice("Which offer does the customer take?", { A: "the small box, weekly", B: "the large box, every month", C: "no box at all" }),
  choice("Which option is not met?", { price: "it costs too much", date: "it comes too late" }),
  choice("Sentiment towards the staff", { positive: null, negative: null, neutral: null }),
  choice("You are reading a ticket. Choose the team.", { billing: null, technical: null }),
  choice("How does the answer begin?", { "total >= 50": null, "total > 50": null, "something else": null }),
  noul("Is the customer angry?"),
  noul("Does the text mention a price?"),
  noul("Is it about bread and butter?"),
  noul("Does the customer ask for a refund or a discount?"),
  noul("Is the failure due to an image that could not be loaded?"),
  noul("Does the writer want the food without the room?"),
  noul("Who complains and asks for money is a claimant. Is this a claimant?"),
  noul("The reviewer was happy with the food."),
  noul("Is this spam?", { true: "an offer that nobody asked for", false: "a message from somebody the reader knows, with no offer" }),
  score("How upset is the customer?", "calm", "annoyed", "furious"),
  score("How urgent is it?", "low", "medium", "high"),
  score("How urgent is it?", "not urgent", "slightly urgent", "very urgent"),
  score("How many stars would the writer give?", "1 star", "2 stars", "3 stars", "4 stars", "5 stars"),
  score("How much is to be paid?", "under 100", "100 to 999", "1,000 to 9,999", "10,000 or more"),
  score("How good is the review?", "terrible", "bad", "mixed", "good", "excellent"),
  score(
    "How negative is the review?",
    "nothing but praise",
    "mostly pleased with one quibble",
    "displeased, though sees good points",
    "nothing good to say",
  ),
];
