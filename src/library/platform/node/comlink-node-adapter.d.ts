// comlink declares this module's types as node-adapter.d.ts, which TypeScript does not find for a .mjs file.
declare module "comlink/dist/esm/node-adapter.mjs" {
  import type { Endpoint } from "comlink";
  import type { MessagePort, Worker } from "node:worker_threads";

  export default function nodeEndpoint(port: MessagePort | Worker): Endpoint;
}
