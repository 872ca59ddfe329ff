import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/** Longer than the server waits for the rest of a request's headers. */
const PATIENCE_MS = 15_000;

/** Sends bytes that no HTTP library would send. Resolves with all that came back, and whether the server then closed the connection. */
export async function exchange(port, bytes) {
  let received = "";
  const socket = connect(port, "127.0.0.1");
  socket.on("data", (chunk) => (received += chunk.toString("latin1")));
  const closed = new Promise((resolve) => {
    // The server may reset the connection, or be gone.
    socket.once("error", () => resolve(true));
    socket.once("close", () => resolve(true));
  });
  socket.write(bytes);
  const isClosed = await Promise.race([closed, sleep(PATIENCE_MS, false)]);
  socket.destroy();
  return { isClosed, received, statuses: [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status)) };
}
