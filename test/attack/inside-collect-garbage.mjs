// Loaded by a server's process: frees memory when a signal asks for it, also that of the model's worker, which has a heap of its own.
import { Session } from "node:inspector";

const COLLECT = "HeapProfiler.collectGarbage";
const session = new Session();
session.connect();
const workers = new Set();
session.on("NodeWorker.attachedToWorker", ({ params }) => workers.add(params.sessionId));
session.on("NodeWorker.detachedFromWorker", ({ params }) => workers.delete(params.sessionId));
session.post("NodeWorker.enable", { waitForDebuggerOnStart: false });
const message = JSON.stringify({ id: 1, method: COLLECT });
process.on("SIGUSR2", () => {
  for (const sessionId of workers) session.post("NodeWorker.sendMessageToWorker", { sessionId, message });
  session.post(COLLECT);
});
