import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const CONNECTIONS = 24;
const BYTES = 62_000;
/** As many requests as a connection may have open. One with more is closed, and gets hardly a reply. */
const OPEN = 16;
const PAGES = ["/openapi.json", "/decision/v1/models", "/metrics", "/nothing"];

/** Connections that send some requests at once, or a thousand, and read no reply. */
export const unreadReplies = {
  name: "replies that nobody reads",
  promise: "`/livez` in 1 s, memory +64 MB at most",
  needs: { keys: ["honest", "attacker"] },
  allows: { growthMb: 64 },
  seconds: { short: 4, full: 20 },
  async run({ target, seen, isOver }) {
    for (let round = 0; !isOver(); round++) {
      const request = `GET ${PAGES[round % PAGES.length]} HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n`;
      const [some, many] = [OPEN, BYTES / request.length].map((count) => request.repeat(count));
      const sockets = Array.from({ length: CONNECTIONS }, () =>
        connect(target.port, "127.0.0.1")
          .pause()
          .on("error", () => {}),
      );
      sockets.forEach((socket, i) => socket.write(i % 2 === 0 ? some : many));
      seen.tries += CONNECTIONS;
      // Some hang up at once, others go on holding what they do not read.
      await sleep(round % 2 === 0 ? 2000 : 300);
      for (const socket of sockets) socket.destroy();
    }
  },
};
