import { randomFrom } from "../../src/library/statistics/random.ts";

/** What is asked of the rows: the keys say nothing by themselves, so that it must be learned. */
export const LABEL_QUESTION = {
  type: "choice",
  instructions: "Which team should get it?",
  criteria: { north: null, south: null, west: null },
} as const;

const TEMPLATES = {
  north: [
    "My card was charged twice for order #.",
    "Invoice # has a wrong address.",
    "When do I get my refund for order #?",
    "Please send a receipt for payment #.",
    "The price on bill # is not the one I saw.",
    "You took the money for plan #, which I ended.",
  ],
  south: [
    "The app crashes when I open page #.",
    "I cannot sign in since update #.",
    "Export # fails with an error.",
    "The upload of file # hangs at 90 percent.",
    "Search finds nothing any more since version #.",
    "Screen # stays empty in Firefox.",
  ],
  west: [
    "Parcel # has not arrived.",
    "The courier left parcel # in the rain.",
    "Where is my delivery #?",
    "Box # came two weeks late.",
    "Parcel # went to the wrong house.",
    "The driver of van # never rang.",
  ],
} as const;

/** Texts with the answer of somebody who makes no mistake, in an order of chance. All differ. */
export function labelRows(count: number, seed = 1): Map<string, string> {
  const random = randomFrom(seed);
  const rows = new Map<string, string>();
  const answers = Object.entries(TEMPLATES);
  while (rows.size < count) {
    const [answer, templates] = answers[Math.floor(random() * answers.length)] ?? ["", []];
    const template = templates[Math.floor(random() * templates.length)] ?? "";
    rows.set(template.replace("#", String(100 + Math.floor(random() * 900))), answer);
  }
  return rows;
}
