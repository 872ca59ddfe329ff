import type { IncomingMessage } from "node:http";
import type { BodyChunks } from "../../body/body.ts";

/** A body in more chunks than this has to have chunks of a certain size: Node takes as long for one byte as for a thousand. */
const MANY_CHUNKS = 1024;
const MIN_MEAN_BYTES = 64;

/**
 * The body of a request of Node's. Nothing of it is kept here: a client that sends its body in very small pieces must not cost an object for each.
 * @param onTinyChunks called once if the client cuts its body into very many and very small chunks; it closes the connection
 */
export function incomingChunks(incoming: IncomingMessage, onTinyChunks: () => void): BodyChunks {
  const isChunked = incoming.headers["transfer-encoding"] !== undefined;
  return (onChunk) =>
    new Promise((resolve, reject) => {
      let [chunks, sizeBytes] = [0, 0];
      const brokeOff = (): void => {
        reject(new Error("The connection was closed before the body had arrived"));
      };
      const take = (chunk: Buffer): void => {
        chunks++;
        sizeBytes += chunk.length;
        try {
          onChunk(chunk);
        } catch (error) {
          // Without a listener, what still comes is thrown away.
          incoming.off("data", take);
          reject(error instanceof Error ? error : new Error("The chunk was refused", { cause: error }));
        }
        if (!isChunked || chunks <= MANY_CHUNKS || sizeBytes >= chunks * MIN_MEAN_BYTES) return;
        incoming.off("data", take);
        onTinyChunks();
      };
      if (incoming.destroyed) {
        brokeOff();
        return;
      }
      incoming.once("end", resolve).once("error", brokeOff).once("close", brokeOff);
      incoming.on("data", take);
    });
}
