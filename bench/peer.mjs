// Runs the peer, transformers.js zero-shot classification (bench/peers/), in its own process.
import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = new URL("peers/", import.meta.url);
const program = fileURLToPath(new URL("zero-shot.mjs", folder));

/**
 * A model that the peer runs.
 * @param {string} name of its folder in bench/peers
 * @returns {{ folder: string, prepared: boolean }} `prepared`: bench/peers/prepare has made it
 */
export function peerModel(name) {
  const model = new URL(`${name}/`, folder);
  return {
    folder: fileURLToPath(model),
    prepared: existsSync(new URL("onnx/model.onnx", model)) && existsSync(new URL("node_modules/", folder)),
  };
}

export const { prepared } = peerModel(".model");

/** Starts the peer. `ask` resolves with { ms, rssBytes, truncated? }. @param options of zero-shot.mjs */
export function startPeer(options = []) {
  return startServed([program, "--serve", ...options]);
}

/** Starts a program that answers a request a line. */
export function startServed(command) {
  const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    ask: async (workload) => {
      child.stdin.write(`${JSON.stringify(workload)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error("the program ended before it answered");
      const answer = JSON.parse(value);
      if (answer.error !== undefined) throw new Error(`the program failed: ${answer.error}`);
      return answer;
    },
    stop: () => child.stdin.end(),
  };
}

/** Measures one cold start. Returns { uptimeMs, rssBytes }. @param options of zero-shot.mjs */
export async function coldPeer(options = []) {
  const { stdout } = await promisify(execFile)(process.execPath, [program, "--cold", ...options]);
  return JSON.parse(stdout);
}
