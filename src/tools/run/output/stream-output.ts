import { once } from "node:events";
import type { Output } from "./output.ts";

/** Results as lines of JSON, each as soon as it is there, to a stream that cannot be continued. */
export class StreamOutput implements Output {
  readonly done = [];
  readonly #stream: NodeJS.WritableStream;

  constructor(stream: NodeJS.WritableStream) {
    this.#stream = stream;
  }

  async add(line: string): Promise<void> {
    if (!this.#stream.write(line)) await once(this.#stream, "drain");
  }

  commit = nothing;
  finish = nothing;
  close = nothing;
}

/** For results that nobody wants to keep. */
export const NO_OUTPUT: Output = { done: [], add: nothing, commit: nothing, finish: nothing, close: nothing };

function nothing(): Promise<void> {
  return Promise.resolve();
}
