import { parentPort, workerData } from "node:worker_threads";
import { loadNodeEngine, packFiles } from "../platform/node/engine.ts";
import { NativeGuard, guardedFiles } from "../platform/node/native-guard.ts";
import { runtimesOfWorker } from "../platform/node/runtimes.ts";
import { endpointOf } from "../platform/node/start-worker.ts";
import type { NodeWorkerData } from "../platform/node/start-worker.ts";
import { makeHost, serveHost } from "./worker-engine.ts";

if (parentPort === null) throw new Error("worker.node.cjs is not a program: umpire starts it as a worker thread");
const { guardMemory, isTelemetryOff } = workerData as NodeWorkerData;
const guard = new NativeGuard(guardMemory);
guard.started();
const runtimes = runtimesOfWorker(new URL("./", import.meta.url), guard, isTelemetryOff);
const host = makeHost((packUrl, options) => loadNodeEngine(guardedFiles(packFiles(packUrl), guard), runtimes, options));
serveHost(host, endpointOf(parentPort));
