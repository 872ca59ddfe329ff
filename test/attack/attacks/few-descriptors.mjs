import { Agent } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { shortRequest } from "../requests.mjs";
import { writeKeys } from "../start-target.mjs";

const IDLE = 100;
const NOTICED_MS = 2000;

export const fewDescriptors = {
  name: "80 file descriptors and 100 idle connections",
  promise: "a revoked key is refused after 2 s, `/metrics` answers",
  needs: { keys: ["honest", "revoked"], prefix: () => ["sh", "-c", 'ulimit -n 80; exec "$@"', "sh"] },
  seconds: { short: 4, full: 12 },
  async run({ target, seen, isOver }) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () => target.ask(shortRequest, { key: "revoked", agent });
    seen.reply(await ask(), [200]);
    const idle = Array.from({ length: IDLE }, () => connect(target.port, "127.0.0.1").on("error", () => {}));
    seen.tries += IDLE;
    await sleep(500);
    const { revoked, ...others } = target.secrets;
    await writeKeys(target.keyFile, others);
    await sleep(NOTICED_MS);
    do {
      seen.reply(await ask(), [401]);
      seen.reply(await target.get("/metrics", { agent }), [200]);
      await sleep(250);
    } while (!isOver());
    for (const socket of idle) socket.destroy();
    agent.destroy();
  },
};
