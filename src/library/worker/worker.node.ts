import { parentPort, workerData } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { loadNodeEngine, packFiles } from "../platform/node/engine.ts";
import { NativeGate, gatedFiles } from "../platform/node/native-gate.ts";
import { runtimesOfWorker } from "../platform/node/runtimes.ts";
import type { NodeWorkerData } from "../platform/node/start-worker.ts";
import { makeHost } from "./host.ts";

if (parentPort === null) throw new Error("worker.node.cjs is not a program: umpire starts it as a worker thread");
const { gateMemory, isTelemetryOff } = workerData as NodeWorkerData;
const gate = new NativeGate(gateMemory);
gate.started();
const runtimes = runtimesOfWorker(new URL("./", import.meta.url), gate, isTelemetryOff);
const host = makeHost((packUrl, options) => loadNodeEngine(gatedFiles(packFiles(packUrl), gate), runtimes, options));
Comlink.expose(host, nodeEndpoint(parentPort));
