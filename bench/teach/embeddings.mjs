// Sentence embeddings of the peer, transformers.js (bench/peers/), made in its own process.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const folder = new URL("../peers/", import.meta.url);
const program = fileURLToPath(new URL("embed.mjs", folder));

export const prepared = existsSync(new URL(".embedding-model/onnx/model.onnx", folder)) && existsSync(new URL("node_modules/", folder));

/** Starts the peer. */
export function startEmbedder() {
  const child = spawn(process.execPath, [program], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    /** @param {string} text @returns {Promise<{ embedding: Float32Array, ms: number }>} a unit vector */
    async embed(text) {
      child.stdin.write(`${JSON.stringify(text)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("the peer ended before it answered");
      const { embedding, ms } = JSON.parse(value);
      return { embedding: Float32Array.from(embedding), ms };
    },
    stop: () => child.stdin.end(),
  };
}
