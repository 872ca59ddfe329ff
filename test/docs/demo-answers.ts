/** The level that is likeliest, by its number. */
interface Level {
  readonly level: number;
}

/** An option, yes or no, or a level. */
export type RightAnswer = string | boolean | Level;

/** What a person answers to the requests in examples/requests/. `undefined`: the text does not say, so a person has to look. */
export const RIGHT_ANSWERS: Readonly<Record<string, Readonly<Record<string, RightAnswer | undefined>>>> = {
  "agent-next-step": { does: "delete", tool: "database", email: false, payment: false },
  appointment: { wish: "move", cancelled: "Thursday", service: "cut and colour", reason: "her child is ill", sorry: true },
  "bank-message": { request: "lost_or_stolen_card", block: true, when: "this morning", loan: false, urgency: { level: 2 } },
  "bug-report": { team: "technical", part: "export", when: "during the export", system: "Windows", payment: false },
  "feature-wish": { kind: "feature_request", wish: true, what: "pinned notes", happy: true, liking: { level: 2 } },
  "junk-mail": { folder: "spam", offered: "a gift card", spam: true, advertising: true, link: true },
  "log-alert": { cause: "password authentication failed", service: "checkout", disk: false, error: true },
  "long-thread": { subject: "repairing or replacing the lift", why: "safety_gear", decided: false, parking: false },
  "news-desk": { section: "science", who: "a team of researchers", moved: "antiprotons", physics: true, accident: false },
  "product-return": { wish: "refund", fault: "it smokes", photo: true, invoice: false, threat: false },
  recipe: { text: "recipe", main: "lentils", diet: "vegetarian", keeps: true, chocolate: false },
  "restaurant-review": { food: { level: 2 }, wrong: "a long wait", children: true, ate: "lamb" },
  "school-email": { purpose: "sick_note", subject: "maths", trip: "to the planetarium", complaint: false, tone: { level: 2 } },
  "support-ticket": { team: "billing", refund: true, phone: true, spam: false, mood: { level: 2 } },
  "unclear-ticket": { team: undefined, refund: false, phone: false, mood: { level: 0 } },
  "voice-command": { device: "heating", room: "living room", temperature: true, colder: true, music: false },
};
