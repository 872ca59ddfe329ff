import { DecideError } from "../../errors.ts";

/** One request's part of a budget. */
export interface ByteShare {
  /** @throws {DecideError} `overloaded` if other requests have reserved too much. */
  reserve(sizeBytes: number): void;
  /** Returns everything that was reserved. */
  release(): void;
}

/**
 * Bounds the memory of the bodies that are being received, however many clients send them. A key may reserve as much as it leaves free, so that no key
 * can take everything.
 */
export class ByteBudget {
  readonly #limitBytes: number;
  readonly #reservedByKey = new Map<string, number>();
  #reservedBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  share(key: string): ByteShare {
    let ownBytes = 0;
    return {
      reserve: (sizeBytes) => {
        // A request that is alone gets what it needs: a single body has a limit of its own.
        const others = this.#reservedBytes - ownBytes;
        const free = this.#limitBytes - this.#reservedBytes;
        if (others > 0 && (this.#reservedByKey.get(key) ?? 0) + sizeBytes > free) {
          const message = `The service is receiving ${others} bytes of other requests and cannot hold more. Try again in 1 s.`;
          throw new DecideError("overloaded", message, { retryAfterSeconds: 1 });
        }
        this.#add(key, sizeBytes);
        ownBytes += sizeBytes;
      },
      release: () => {
        this.#add(key, -ownBytes);
        ownBytes = 0;
      },
    };
  }

  #add(key: string, sizeBytes: number): void {
    this.#reservedBytes += sizeBytes;
    const reserved = (this.#reservedByKey.get(key) ?? 0) + sizeBytes;
    if (reserved === 0) this.#reservedByKey.delete(key);
    else this.#reservedByKey.set(key, reserved);
  }
}
