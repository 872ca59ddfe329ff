import { MessageChannel } from "node:worker_threads";

/** Frees a buffer's memory at once: it is moved into a message, which ends with its channel. A thread that waits collects no garbage, so it would stay for long. */
export function free({ buffer }: Uint8Array<ArrayBuffer>): void {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(undefined, [buffer]);
  port1.close();
  port2.close();
}
