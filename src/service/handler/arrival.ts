import type { BodyChunks } from "../body/body.ts";

export interface ArrivalFacts {
  /** Who sends the request, for example their address. Without keys, memory and turns are shared fairly by it. */
  readonly client: string;
  /** The request's body, where the server has a cheaper way to it than `request.arrayBuffer()`. */
  readonly chunks?: BodyChunks | undefined;
}

/** What a server knows of a request besides the request itself. The handler takes it as its second argument; it is a class, because servers pass other things there, too. */
export class Arrival implements ArrivalFacts {
  readonly client: string;
  readonly chunks: BodyChunks | undefined;

  constructor({ client, chunks }: ArrivalFacts) {
    this.client = client;
    this.chunks = chunks;
  }
}
