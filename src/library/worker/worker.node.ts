import { parentPort, workerData } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { loadNodeEngine, packFiles } from "../platform/node/engine.ts";
import { NativeGuard, guardedFiles } from "../platform/node/native-guard.ts";
import { allowed } from "../platform/node/permission.ts";
import { nodeRuntimes } from "../platform/node/runtimes.ts";
import type { NodeWorkerData } from "../platform/node/start-worker.ts";
import { makeHost, type LoadInHost } from "./protocol.ts";

if (parentPort === null) throw new Error("worker.node.cjs is not a program: umpire starts it as a worker thread");
const { guardMemory, isTelemetryOff } = workerData as NodeWorkerData;
const guard = new NativeGuard(guardMemory);
guard.started();
const runtimes = nodeRuntimes(new URL("./", import.meta.url), { guard, isTelemetryOff });
const load: LoadInHost = (packUrl, options) => loadNodeEngine(guardedFiles(packFiles(packUrl), guard), runtimes, options);
const host = makeHost((...asked) => allowed(() => load(...asked)));
Comlink.expose(host, nodeEndpoint(parentPort));
