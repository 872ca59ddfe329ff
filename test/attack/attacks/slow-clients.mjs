import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { DECIDE, requestOf, stateOf } from "../requests.mjs";

/** The largest body that the service takes. */
const BODY_BYTES = 1_048_576;

/** Keeps connections open that send `start`, then one byte of `drip` a second. One that the server closes is opened again. */
async function dripping({ target, seen, isOver }, count, start, drip, { isReading = true } = {}) {
  const opened = () => {
    const socket = connect(target.port, "127.0.0.1").on("error", () => {});
    if (isReading) socket.resume();
    else socket.pause();
    socket.write(start);
    seen.tries++;
    return socket;
  };
  let sockets = Array.from({ length: count }, opened);
  while (!isOver()) {
    await sleep(1000);
    sockets = sockets.map((socket) => (socket.destroyed ? opened() : socket));
    for (const socket of sockets) if (socket.writable) socket.write(drip);
  }
  for (const socket of sockets) socket.destroy();
}

function headOf(target, path, bytes) {
  const { authorization } = target.headersOf();
  const key = authorization === undefined ? "" : `authorization: ${authorization}\r\n`;
  return `POST ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${key}content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`;
}

const uploads = (tools, count) => dripping(tools, count, headOf(tools.target, DECIDE, BODY_BYTES), " ");

export const slowUploads = {
  name: "33 uploads of one byte a second, without keys",
  promise: "everybody else is answered, p99 in 2 s",
  needs: {},
  seconds: { short: 8, full: 40 },
  run: (tools) => uploads(tools, 33),
};

export const slowUploadsByKey = {
  name: "100 uploads of one byte a second, by one key",
  promise: "another key is answered, p99 in 2 s",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 4, full: 40 },
  run: (tools) => uploads(tools, 100),
};

export const slowHeaders = {
  name: "500 connections that send one byte of a header a second",
  promise: "another key is answered, p99 in 2 s",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 3, full: 20 },
  run: (tools) => dripping(tools, 500, `POST ${DECIDE} HTTP/1.1\r\nhost: 127.0.0.1\r\nx: `, "x"),
};

export const slowReaders = {
  name: "100 requests whose answers are not read",
  promise: "another key is answered, p99 in 2 s",
  needs: { keys: ["honest", "attacker"] },
  seconds: { short: 3, full: 40 },
  run(tools) {
    const criteria = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`option ${i} ${"x".repeat(200)}`, "a cat"]));
    const body = JSON.stringify(requestOf({ which: { type: "choice", instructions: "Which?", criteria } }, stateOf(20)));
    return dripping(tools, 100, headOf(tools.target, DECIDE, body.length) + body, "", { isReading: false });
  },
};
