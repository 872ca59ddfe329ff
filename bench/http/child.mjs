// Runs Node programs as child processes that answer questions over their IPC channel, one at a time.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { variantOf } from "../workloads.mjs";

/** Starts a script of this folder and passes it `request` as an argument. `ask` resolves with the result of the child's answer function. */
export function startChild(script, request, { stdout = "inherit" } = {}) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), [JSON.stringify(request)], {
    stdio: ["ignore", stdout, "inherit", "ipc"],
  });
  let died = () => {};
  const death = new Promise((_, reject) => (died = reject));
  death.catch(() => {});
  child.once("exit", (code, signal) => died(new Error(`${script} ended with ${signal ?? code}`)));
  return {
    async ask(question) {
      const answered = once(child, "message");
      child.send(question);
      const [{ value, error }] = await Promise.race([answered, death]);
      if (error !== undefined) throw new Error(`${script}: ${error}`);
      return value;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** For the child: the request that it was started with. */
export const givenRequest = () => JSON.parse(process.argv[2]);

let variants = 0;

/** For the child: the request's JSON, each time with another state of the same length, so that no server answers it from a cache. */
export function nextBody() {
  const request = givenRequest();
  return JSON.stringify({ ...request, state: variantOf(request.state, variants++) });
}

/** For the child: answers every question until the parent stops it. */
export function answerParent(answer, onStop = () => {}) {
  process.on("message", async (question) => {
    try {
      process.send({ value: await answer(question) });
    } catch (error) {
      process.send({ error: error.stack });
    }
  });
  process.once("disconnect", async () => {
    await onStop();
    process.exit();
  });
}
