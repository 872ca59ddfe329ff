import { DecideError } from "../../errors.ts";

/** @throws {DecideError} `overloaded` if this body has to make room for others. */
export type Reserve = (sizeBytes: number) => void;

interface Upload {
  readonly client: string;
  sizeBytes: number;
  /** Aborted once the upload has to make room. */
  readonly refused: AbortController;
}

/**
 * Bounds the memory of the bodies that are being received, however many clients send them. When it is used up, the client that holds most makes room: its
 * oldest upload is refused. So nobody who sends slowly, or much, keeps others from sending.
 */
export class ByteBudget {
  readonly #limitBytes: number;
  /** Those that have reserved something, oldest first. */
  readonly #uploads = new Set<Upload>();
  readonly #reservedByClient = new Map<string, number>();
  #reservedBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /**
   * Runs `read`, which reserves the bytes of one body of a client before it holds them. They are free again when it has settled.
   * @param read must let go of the bytes when its signal is aborted: they count no longer.
   * @throws {DecideError} `overloaded` as soon as the body has to make room for others, whether or not `read` has settled by then.
   */
  async receive<T>(client: string, read: (reserve: Reserve, signal: AbortSignal) => Promise<T>): Promise<T> {
    const upload: Upload = { client, sizeBytes: 0, refused: new AbortController() };
    const { signal } = upload.refused;
    // Made before `read` is called, which may have to make room at once.
    const refused = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => {
        reject(signal.reason as Error);
      });
    });
    const reserve = (sizeBytes: number): void => {
      this.#reserve(upload, sizeBytes);
    };
    try {
      return await Promise.race([read(reserve, signal), refused]);
    } finally {
      this.#remove(upload);
    }
  }

  #reserve(upload: Upload, sizeBytes: number): void {
    const { signal } = upload.refused;
    if (!signal.aborted && sizeBytes > 0) {
      this.#uploads.add(upload);
      upload.sizeBytes += sizeBytes;
      this.#count(upload.client, sizeBytes);
      // An upload that is alone gets what it needs: a single body has a limit of its own.
      while (this.#reservedBytes > this.#limitBytes && this.#uploads.size > 1) this.#makeRoom();
    }
    signal.throwIfAborted();
  }

  #makeRoom(): void {
    let heaviest = "";
    let mostBytes = 0;
    for (const [client, bytes] of this.#reservedByClient) if (bytes > mostBytes) [heaviest, mostBytes] = [client, bytes];
    for (const upload of this.#uploads) {
      if (upload.client !== heaviest) continue;
      const message = `The service is receiving ${this.#reservedBytes} bytes and cannot hold more, so it has stopped receiving this request. Try again in 1 s.`;
      this.#remove(upload);
      upload.refused.abort(new DecideError("overloaded", message, { retryAfterSeconds: 1 }));
      return;
    }
  }

  #remove(upload: Upload): void {
    if (this.#uploads.delete(upload)) this.#count(upload.client, -upload.sizeBytes);
  }

  #count(client: string, sizeBytes: number): void {
    this.#reservedBytes += sizeBytes;
    const reserved = (this.#reservedByClient.get(client) ?? 0) + sizeBytes;
    if (reserved === 0) this.#reservedByClient.delete(client);
    else this.#reservedByClient.set(client, reserved);
  }
}
