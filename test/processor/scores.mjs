// Prints the graph chosen on this processor and its answers. Run by without-vnni.mjs.
import { createDecider } from "umpire";

const decider = await createDecider({ inline: true, threads: 1 });
const { graph } = await decider.info();
const { answers } = await decider.decide({
  state: "My card was charged twice for one order, and the second parcel never came.",
  questions: {
    topic: {
      type: "choice",
      instructions: "What is this about?",
      criteria: { billing: "charges and refunds", delivery: null, weather: null, sports: null },
    },
    angry: { type: "noul", instructions: "Is the writer happy?" },
  },
});
await decider.close();
console.log(JSON.stringify({ graph, answers }));
