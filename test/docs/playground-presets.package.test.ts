import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { decide } from "umpire";
import type { Answer, Questions } from "umpire";
import { describe, expect, test } from "vitest";
import { packageRootPath } from "../support/package-root.ts";

interface Preset {
  readonly title: string;
  readonly state: string | object;
  readonly questions: Questions;
}

/** The right answers, given by a person: an option, yes or no, or a level. */
const RIGHT: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "Support ticket: charged twice": { team: "billing", money_back: "yes", order_number: "yes", mood: "angry" },
  "Contact form: a lead, as data": { topic: "offer", email: "yes", demo: "yes", interest: "very interested" },
  "Inbox: is this spam?": { folder: "spam", spam: "yes", link: "yes", invoice: "no" },
  "App store: a bad review": { about: "crash", rating: "bad", price: "no", sentiment: "negative" },
  "Help desk: locked out": { problem: "password", locked: "yes", complaint: "no", polite: "polite" },
  "Dentist: a message on the phone": { intent: "reschedule", appointment: "yes", bill: "no", tone: "friendly", polite: "polite" },
  "School: an e-mail to the form teacher": { purpose: "sick_note", subject: "maths", fees: "no", polite: "polite" },
  "Restaurant: a review": { food: "excellent", service: "excellent", guest: "delighted", parking: "no" },
  "News desk: sort a story": { section: "science", laboratory: "yes", tone: "factual" },
  "Lease: a question for a person": { topic: "repairs and maintenance", pets: "no" },
};
/** The one question of the presets that the model is not sure about. A person would say: the tenant. */
const FOR_A_PERSON = { title: "Lease: a question for a person", id: "tap" };

/** Of answers like these, at least so many are right. */
const LEAST_ACCURACY = 0.8;
/** Below this accuracy the page says: better ask a person. */
const UNSURE_ACCURACY = 0.6;

const file = pathToFileURL(join(packageRootPath, "examples/playground/presets.js")).href;
const { presets } = (await import(file)) as { presets: readonly Preset[] };

function verdictOf(answer: Answer | undefined): unknown {
  if (answer === undefined) return undefined;
  if (answer.type === "noul") return answer.noul >= 0.5 ? "yes" : "no";
  if (answer.type === "choice") return answer.choice;
  const shares = Object.values(answer.probabilities);
  return answer.legend[String(shares.indexOf(Math.max(...shares)))];
}

describe("the playground's presets", () => {
  async function ask({ state, questions }: Preset): Promise<Map<string, Answer>> {
    const { answers } = await decide({ model: "latest", state, questions });
    return new Map(Object.entries(answers));
  }

  test("are all known here, with the right answer to every question but the one for a person", () => {
    expect(presets.map(({ title }) => title)).toEqual(Object.keys(RIGHT));
    for (const { title, questions } of presets) {
      const others = title === FOR_A_PERSON.title ? [FOR_A_PERSON.id] : [];
      expect(Object.keys(questions).sort()).toEqual([...Object.keys(RIGHT[title] ?? {}), ...others].sort());
    }
  });

  test.each(presets.map((preset) => ({ title: preset.title, preset })))(
    "are answered rightly and surely: $title",
    async ({ title, preset }) => {
      const answers = await ask(preset);
      const right = Object.entries(RIGHT[title] ?? {});
      expect(right.map(([id]) => [id, verdictOf(answers.get(id))])).toEqual(right);
      for (const [id] of right) expect(answers.get(id)?.x_accuracy, id).toBeGreaterThan(LEAST_ACCURACY);
    },
  );

  test("hold one question that the model hands to a person", async () => {
    const [preset] = presets.filter(({ title }) => title === FOR_A_PERSON.title);
    if (preset === undefined) throw new Error("the preset is missing");
    const answers = await ask(preset);
    expect(answers.get(FOR_A_PERSON.id)?.x_accuracy).toBeLessThan(UNSURE_ACCURACY);
  });
});
