// The load tests' request: 10 options and a state of 144 tokens.
import { workloads } from "../workloads.mjs";

const [{ name, text, labels }] = await workloads();
const criteria = Object.fromEntries(labels.map((label) => [label, null]));

export const workload = name;
export const decideRequest = {
  model: "latest",
  state: text,
  questions: { topic: { type: "choice", instructions: "What is this text about?", criteria } },
};
