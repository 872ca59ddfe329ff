import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { killedAtEnd } from "./clean-up.mjs";

/** Starts a watcher in its own process. It works until `stop`, which resolves with what it saw. */
export async function watch(job) {
  const child = killedAtEnd(fork(fileURLToPath(new URL("watcher.mjs", import.meta.url)), [JSON.stringify(job)]));
  const died = once(child, "exit").then(([code]) => {
    throw new Error(`the watcher ended with ${code}`);
  });
  died.catch(() => {});
  await Promise.race([once(child, "message"), died]);
  return {
    async stop() {
      const seen = once(child, "message");
      child.send("stop");
      const [outcome] = await Promise.race([seen, died]);
      child.disconnect();
      return outcome;
    },
  };
}
