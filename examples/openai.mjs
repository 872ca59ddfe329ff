// An app for OpenAI's Decisions API, on this machine: no key, no bill, nothing sent. First: npm install umpire openai@7
//   node examples/openai.mjs
import OpenAI from "openai";
import { createFetch } from "umpire/fetch";

// The one line that differs: without `fetch`, the same app asks OpenAI.
const client = new OpenAI({ apiKey: "local", fetch: createFetch() });

const { model, answers, usage } = await client.decisions.create({
  model: "gpt-6-luna",
  input: [{ role: "user", content: "My card was charged twice for the same order. I am furious! I want my money back." }],
  questions: [
    {
      type: "choice",
      name: "team",
      instructions: "Which team should handle this?",
      choices: [
        { value: "billing", description: "invoices, payments, refunds" },
        { value: "delivery", description: "late, lost or damaged parcels" },
        { value: "technical" },
      ],
    },
    { type: "predicate", name: "refund", instructions: "Does the customer want a refund?" },
    {
      type: "score",
      name: "mood",
      instructions: "How upset is the customer?",
      levels: [{ label: "calm" }, { label: "annoyed" }, { label: "furious" }],
    },
  ],
});

const percent = (share) => `${Math.round(100 * share)}%`;
const [team, refund, mood] = answers;
// Beside what OpenAI's answers have: how often answers like this one were right, so that the app can ask a person instead.
console.log(`team: ${team.choice} (${percent(team.confidence)} sure, ${percent(team.x_accuracy)} of such answers are right)`);
console.log(`refund: ${percent(refund.probability)} yes`);
console.log(`mood: ${mood.score.toFixed(2)} of ${mood.probabilities.length - 1}`);
console.log(`${model}, ${usage.total_tokens} tokens`);
