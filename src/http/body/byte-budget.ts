import { DecideError } from "../../errors.ts";

/** What one request has of a budget. */
export interface ByteShare {
  /** @throws {DecideError} `overloaded` where the others leave too little. */
  take(sizeBytes: number): void;
  giveBack(): void;
}

/** Bounds the memory of bodies that arrive at one time, however many clients send them. A key may have as much as it leaves free: it never has all. */
export class ByteBudget {
  readonly #limitBytes: number;
  readonly #takenByKey = new Map<string, number>();
  #takenBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  share(key: string): ByteShare {
    let ownBytes = 0;
    return {
      take: (sizeBytes) => {
        // Whoever is alone gets what they need: a single body has a limit of its own.
        const others = this.#takenBytes - ownBytes;
        const free = this.#limitBytes - this.#takenBytes;
        if (others > 0 && (this.#takenByKey.get(key) ?? 0) + sizeBytes > free) {
          const message = `The service is being sent ${others} bytes by others, and cannot hold more. Ask again in 1 s.`;
          throw new DecideError("overloaded", message, { retryAfterSeconds: 1 });
        }
        this.#add(key, sizeBytes);
        ownBytes += sizeBytes;
      },
      giveBack: () => {
        this.#add(key, -ownBytes);
        ownBytes = 0;
      },
    };
  }

  #add(key: string, sizeBytes: number): void {
    this.#takenBytes += sizeBytes;
    const taken = (this.#takenByKey.get(key) ?? 0) + sizeBytes;
    if (taken === 0) this.#takenByKey.delete(key);
    else this.#takenByKey.set(key, taken);
  }
}
