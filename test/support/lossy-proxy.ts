import { once } from "node:events";
import { connect, createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";

export interface LossyProxy {
  readonly url: string;
  /** Number of connections so far. */
  lostReplies(): number;
  close(): void;
}

/** A proxy whose first connection breaks while the reply is on its way. The server has answered, but the caller does not know. */
export async function startLossyProxy(serverUrl: string): Promise<LossyProxy> {
  const { hostname, port } = new URL(serverUrl);
  const open = new Set<Socket>();
  let lostReplies = 0;
  const server = createServer((caller) => {
    const line = connect(Number(port), hostname);
    for (const socket of [caller, line]) {
      open.add(socket);
      // Broken connections are the purpose of this proxy.
      socket.on("error", () => undefined).once("close", () => open.delete(socket));
    }
    caller.pipe(line);
    if (lostReplies > 0) line.pipe(caller);
    else {
      line.once("data", () => {
        lostReplies += 1;
        caller.destroy();
        line.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lostReplies: () => lostReplies,
    close: () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
