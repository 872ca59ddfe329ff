import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** How the server answers one request: `from` is where the range that was asked for starts, or undefined when none was. */
export type Answer = (response: ServerResponse, from: number | undefined) => void;

/** A web server of one file, on a free port of this machine. It answers each request in turn as told, and the last way from then on. */
export class FileServer {
  /** Where the ranges of the requests so far start; undefined for requests of the whole file. */
  readonly asked: (number | undefined)[] = [];
  readonly #server = createServer((request, response) => {
    this.#answer(request, response);
  });
  readonly #answers: Answer[];

  private constructor(answers: Answer[]) {
    this.#answers = answers;
  }

  static async start(...answers: Answer[]): Promise<FileServer> {
    const server = new FileServer(answers);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): URL {
    return new URL(`http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/file.bin`);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1];
    const from = range === undefined ? undefined : Number(range);
    const answer = this.#answers[Math.min(this.asked.length, this.#answers.length - 1)];
    this.asked.push(from);
    answer?.(response, from);
  }
}
