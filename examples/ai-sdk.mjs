// Triages a mail with the AI SDK, on this machine. First: npm install umpire ai @ai-sdk/provider zod
//   node examples/ai-sdk.mjs
import { experimental_decide } from "ai";
import { umpire } from "umpire/ai";

const { answers, usage, providerMetadata, response } = await experimental_decide({
  model: umpire("latest"),
  state: [
    { type: "text", text: "The parcel came three days late and the box was open. I want my money back. I am really angry." },
    { type: "json", value: { plan: "family", invoices: 2 } },
  ],
  questions: {
    team: {
      type: "choice",
      instructions: "Which team should handle this?",
      criteria: { billing: "invoices, payments, refunds", delivery: "late, lost or damaged parcels", technical: null },
    },
    refund: { type: "boolean", instructions: "Does the customer want their money back?" },
    mood: { type: "score", instructions: "How upset is the customer?", criteria: ["calm", "annoyed", "furious"] },
  },
});

// The response also has the probability of every option and level. The metadata has each question's confidence.
const percent = (value) => `${Math.round(100 * value)}%`;
const { confidence } = providerMetadata.umpire;
console.log(
  `team: ${answers.team.choice} (${percent(answers.team.probabilities.billing)} billing, confidence ${percent(confidence.team)})`,
);
console.log(`refund: ${percent(answers.refund.probability)} yes`);
console.log(`mood: ${answers.mood.score.toFixed(2)} of 2`);
console.log(`${response.modelId}, ${usage.inputTokens} tokens in, ${usage.outputTokens} out`);
