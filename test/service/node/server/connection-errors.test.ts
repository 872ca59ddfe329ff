import { EventEmitter } from "node:events";
// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- it never listens
import { Server } from "node:http";
import type { Duplex } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { answerConnectionErrors, kindOf } from "../../../../src/service/node/server/connection-errors.ts";
import { Connections } from "../../../../src/service/node/server/connections.ts";
import type { Exchange } from "../../../../src/service/node/server/connections.ts";
import { replyOf } from "./raw-client.ts";

test.each([
  ["HPE_HEADER_OVERFLOW", "headers_too_long"],
  ["ERR_HTTP_REQUEST_TIMEOUT", "timeout"],
  ["HPE_INVALID_METHOD", "malformed"],
  // The connection ended in the middle of a request.
  ["HPE_INVALID_EOF_STATE", "hung_up"],
  ["ERR_SSL_HTTP_REQUEST", "tls"],
  ["ERR_TLS_HANDSHAKE_TIMEOUT", "tls"],
  ["ECONNRESET", "hung_up"],
  [undefined, "hung_up"],
])("Node's error %s is counted as %s", (code, kind) => {
  expect(kindOf(Object.assign(new Error("x"), code === undefined ? {} : { code }))).toBe(kind);
});

/** A socket that records what was written before it was closed. */
class FakeSocket extends EventEmitter {
  writable = true;
  written = "";
  destroyed = false;

  end(text: string, done: () => void): void {
    this.written += text;
    done();
  }

  destroy(): void {
    this.destroyed = true;
  }
}

/** Lets a server report an error for a connection with these exchanges. */
function reported(code: string, exchanges: readonly object[], socket = new FakeSocket()): { socket: FakeSocket; kinds: string[] } {
  const server = new Server();
  const kinds: string[] = [];
  const connections = { exchangesOn: (on: Duplex) => ((on as unknown) === socket ? (exchanges as Exchange[]) : []) };
  answerConnectionErrors(server, connections as unknown as Connections, (kind) => kinds.push(kind));
  server.emit("clientError", Object.assign(new Error("x"), { code }), socket);
  return { socket, kinds };
}

describe("an error of a connection", () => {
  test.each([
    ["HPE_INVALID_METHOD", 400],
    ["ERR_HTTP_REQUEST_TIMEOUT", 408],
    ["HPE_HEADER_OVERFLOW", 431],
  ])("%s is answered with %i, and the connection is closed", (code, status) => {
    const { socket, kinds } = reported(code, []);
    const reply = replyOf(socket.written);
    expect([reply.status, reply.headers.get("connection")]).toEqual([status, "close"]);
    expect(reply.body).toMatchObject({ error: { code: "invalid_request" } });
    expect(Number(reply.headers.get("content-length"))).toBe(JSON.stringify(reply.body).length);
    expect([socket.destroyed, kinds.length]).toEqual([true, 1]);
  });

  test.each([
    ["the client hung up", "ECONNRESET", [], true],
    ["the socket can no longer be written", "HPE_INVALID_METHOD", [], false],
    [
      "an earlier request is being answered",
      "HPE_INVALID_METHOD",
      [{ incoming: { complete: true }, outgoing: { headersSent: false } }],
      true,
    ],
    ["a reply has begun", "ERR_HTTP_REQUEST_TIMEOUT", [{ incoming: { complete: false }, outgoing: { headersSent: true } }], true],
  ])("gets no reply if %s, only a closed connection", (_, code, exchanges, isWritable) => {
    const socket = new FakeSocket();
    socket.writable = isWritable;
    const { kinds } = reported(code, exchanges, socket);
    expect([socket.written, socket.destroyed, kinds.length]).toEqual(["", true, 1]);
  });

  test("in the middle of a request that is still arriving is answered", () => {
    const { socket } = reported("ERR_HTTP_REQUEST_TIMEOUT", [{ incoming: { complete: false }, outgoing: { headersSent: false } }]);
    expect(replyOf(socket.written).status).toBe(408);
  });
});

const UNUSED = { pipelined: 1, onTooMany: () => undefined, start: () => undefined };

test("connections beyond the limit are reported", () => {
  const server = new Server();
  const onError = vi.fn();
  answerConnectionErrors(server, new Connections(server, UNUSED), onError);
  server.emit("drop");
  expect(onError).toHaveBeenCalledWith("too_many");
});
