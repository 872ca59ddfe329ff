/** Short texts of many kinds. Every question is tried on the same ones: what it makes of them shows how it is read. */
export const TEXTS: readonly string[] = [
  "I was charged twice for my order last week and nobody has answered my e-mails. Please refund the second payment.",
  "Lovely little hotel. The bed was comfortable, breakfast was good, and the staff could not have been kinder.",
  "2026-03-14 08:12:07 ERROR payment-service: connection to the database timed out after 30 s, retrying (2 of 5)",
  "The city council voted on Tuesday to close the old bridge to cars for two years while it is rebuilt.",
  "hey, are you coming tonight? we meet at eight at Tom's, bring some snacks if you can :)",
  "// TODO: this loop is slow for long lists. Sort them once before, and use a binary search here.",
  "Either party may end this agreement with thirty days' written notice. Fees that were paid are not returned.",
  "Third time the driver threw my parcel over the fence. This is a disgrace, and I want to speak to a manager today!",
];
