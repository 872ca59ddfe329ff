import { once } from "node:events";
import { connect } from "node:net";
import type { Socket } from "node:net";

export interface RawClient {
  readonly socket: Socket;
  write(text: string): void;
  /** Forgets what the server has sent so far. */
  forget(): void;
  /** Waits until the connection is closed. @returns everything that the server sent */
  closed(): Promise<string>;
  /** Waits until what the server has sent matches. @returns everything sent so far */
  until(pattern: RegExp): Promise<string>;
}

/** A client that can send what no HTTP library would send. */
export async function rawClient(port: number): Promise<RawClient> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk: Buffer) => (received += chunk.toString("latin1")));
  // The server may reset the connection; nothing more arrives then.
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  await once(socket, "connect");
  return {
    socket,
    write: (text) => void socket.write(text),
    forget: () => {
      received = "";
    },
    closed: async () => {
      await closed;
      return received;
    },
    until: async (pattern) => {
      while (!pattern.test(received)) await once(socket, "data");
      return received;
    },
  };
}

/** The last of the received replies. */
export function replyOf(received: string): { status: number; headers: Headers; body: unknown } {
  const [head = "", body = ""] = received.slice(received.search(/HTTP\/1\.1 \d{3} (?!.*HTTP\/1\.1 \d{3} )/su)).split("\r\n\r\n");
  const [statusLine = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/u, 2) as [string, string]));
  return { status: Number(statusLine.split(" ")[1]), headers, body: body === "" ? undefined : JSON.parse(body) };
}
