import { parentPort, workerData } from "node:worker_threads";
import * as Comlink from "comlink";
import nodeEndpoint from "comlink/dist/esm/node-adapter.mjs";
import { NativeGate, gated, gatedFiles } from "../platform/node/native-gate.ts";
import { loadNodeEngine, loadRuntime, packFiles } from "../platform/node/files.ts";
import { makeHost } from "./host.ts";

if (parentPort === null) throw new Error("worker.node.js is started by umpire as a worker thread; it is no program");
const gate = new NativeGate(workerData as SharedArrayBuffer);
gate.started();
const host = makeHost(async (packUrl, options) =>
  loadNodeEngine(gatedFiles(packFiles(packUrl), gate), gated(await gate.pass(loadRuntime), gate), options),
);
Comlink.expose(host, nodeEndpoint(parentPort));
