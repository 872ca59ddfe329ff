import { DecideError } from "../errors.ts";

/** What one request has of a budget. */
export interface ByteShare {
  /** @throws {DecideError} `overloaded` where the others leave too little. */
  take(sizeBytes: number): void;
  giveBack(): void;
}

/** Bounds the memory of bodies that arrive at one time, however many clients send them. */
export class ByteBudget {
  readonly #limitBytes: number;
  #takenBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  share(): ByteShare {
    let ownBytes = 0;
    return {
      take: (sizeBytes) => {
        // Whoever is alone gets what they need: a single body has a limit of its own.
        const others = this.#takenBytes - ownBytes;
        if (others > 0 && this.#takenBytes + sizeBytes > this.#limitBytes) {
          const message = `The service is being sent ${others} bytes by others, and cannot hold more. Ask again in 1 s.`;
          throw new DecideError("overloaded", message, { retryAfterSeconds: 1 });
        }
        this.#takenBytes += sizeBytes;
        ownBytes += sizeBytes;
      },
      giveBack: () => {
        this.#takenBytes -= ownBytes;
        ownBytes = 0;
      },
    };
  }
}
