#!/usr/bin/env node
// Sentence embeddings as users of transformers.js make them: a text (a JSON string) per line in, { embedding, ms } per line out. Run ./prepare first.
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { env, pipeline } from "@huggingface/transformers";

env.allowRemoteModels = false;
env.useFSCache = false;

const embed = await pipeline("feature-extraction", fileURLToPath(new URL(".embedding-model/", import.meta.url)), {
  dtype: "fp32",
  device: "cpu",
});
for await (const line of createInterface({ input: process.stdin })) {
  const start = performance.now();
  const { data } = await embed(JSON.parse(line), { pooling: "mean", normalize: true });
  process.stdout.write(`${JSON.stringify({ embedding: [...data], ms: performance.now() - start })}\n`);
}
