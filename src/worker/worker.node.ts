import { parentPort, workerData } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { loadNodeEngine, loadRuntime, packFiles } from "../platform/node/engine.ts";
import { NativeGate, gated, gatedFiles } from "../platform/node/native-gate.ts";
import { makeHost } from "./host.ts";

if (parentPort === null) throw new Error("worker.node.js is not a program: umpire starts it as a worker thread");
const gate = new NativeGate(workerData as SharedArrayBuffer);
gate.started();
const host = makeHost(async (packUrl, options) =>
  loadNodeEngine(gatedFiles(packFiles(packUrl), gate), gated(await gate.pass(loadRuntime), gate), options),
);
Comlink.expose(host, nodeEndpoint(parentPort));
