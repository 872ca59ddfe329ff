/** Sentences that tests ask about. Which one it is matters to no test; that they differ, and what they are about, does. */
export const TEXTS = {
  chargedTwice: "My card was charged twice for one order.",
  late: "The parcel arrived two days late.",
  onTime: "The parcel arrived on time.",
  broken: "The glass in my window broke.",
  password: "Please tell me how to reset my password.",
} as const;

/** Questions that fit the sentences. */
export const ASKED = {
  team: "Which team should handle this?",
  chargedTwice: "Was the customer charged twice?",
  late: "Was the parcel late?",
  angry: "Is the customer angry?",
  upset: "How upset is the customer?",
} as const;
