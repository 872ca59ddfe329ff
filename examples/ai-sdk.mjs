// Triages a mail with the AI SDK, on this machine. First: npm install umpire ai@7 @ai-sdk/provider@4 zod
//   node examples/ai-sdk.mjs
import { experimental_decide } from "ai";
import { umpire, umpireMetadata } from "umpire/ai";

const result = await experimental_decide({
  model: umpire("latest"),
  state: [
    { type: "text", text: "My card was charged twice for the same order. I am furious! I want my money back." },
    { type: "json", value: { plan: "family" } },
  ],
  questions: {
    team: {
      type: "choice",
      instructions: "Which team should handle this?",
      criteria: { billing: "invoices, payments, refunds", delivery: "late, lost or damaged parcels", technical: null },
    },
    refund: { type: "boolean", instructions: "Does the customer want a refund?" },
    mood: { type: "score", instructions: "How upset is the customer?", criteria: ["calm", "annoyed", "furious"] },
  },
});

// The response also has the probability of every option and level. The metadata says how often answers like each were right.
const percent = (value) => `${Math.round(100 * value)}%`;
const { answers, usage, response } = result;
const { accuracy } = umpireMetadata(result);
console.log(
  `team: ${answers.team.choice} (${percent(answers.team.probabilities.billing)} billing, ${percent(accuracy.team)} of such answers are right)`,
);
console.log(`refund: ${percent(answers.refund.probability)} yes`);
console.log(`mood: ${answers.mood.score.toFixed(2)} of 2`);
console.log(`${response.modelId}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
