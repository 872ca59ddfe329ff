// Runs several forms of the service in one process, all with the same decider. On request it also calls the decider without HTTP.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDecider } from "umpire";
import { createKeys, createLogger, keyFromSecret, openLedger, serve } from "umpire/serve";
import { answerParent, givenRequest } from "./child.mjs";

const SECRET = "secret-of-the-benchmark";
const NANOCREDITS = 1e15;

const request = givenRequest();
// All calls have one state. What is compared is HTTP, beside reading it each time.
const decider = await createDecider({ cacheBytes: 0 });
const answer = await decider.decide(request);
/** Answers at once, so that only the cost of HTTP remains. */
const instant = { decide: () => Promise.resolve(answer), models: () => decider.models(), stats: () => decider.stats() };
const folder = await mkdtemp(join(tmpdir(), "umpire-overhead-"));
const ledger = await openLedger(join(folder, "credits.db"));
await ledger.topUp("caller", NANOCREDITS);
const keys = createKeys([await keyFromSecret("caller", SECRET)]);
const credits = { ledger, prices: { "*": { inputPerMillion: 0.1, outputPerMillion: 0.4 } } };
// Logs one line per request, like the command.
const logger = createLogger({ level: "info" });
const forms = { plain: {}, keys: { keys }, "keys and credits": { keys, credits } };
const servers = [];
const urls = { model: {}, instant: {} };
for (const [name, options] of Object.entries(forms)) {
  for (const [kind, answerer] of Object.entries({ model: decider, instant })) {
    const server = await serve({ ...options, decider: answerer, logger, port: 0 });
    servers.push(server);
    urls[kind][name] = server.url;
  }
}

answerParent(
  async ({ ask }) => {
    if (ask === "urls") return { urls, secret: SECRET };
    if (ask === "cpu") return process.cpuUsage();
    const startMs = performance.now();
    await decider.decide(request);
    return performance.now() - startMs;
  },
  async () => {
    await Promise.all(servers.map((server) => server.close()));
    await ledger.close();
    await decider.close();
    await rm(folder, { recursive: true });
  },
);
