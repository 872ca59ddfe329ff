/** Thrown when there are more bytes than the limit. */
export class LimitExceeded extends Error {}

const INITIAL_BYTES = 65_536;
/** For shorter chunks, a loop is faster than a call of a typed array's method. */
const SHORT_CHUNK_BYTES = 32;

/** Collects the bytes of a stream or a decompressor, up to a limit. Its memory grows with the bytes it has, not with an announced size. */
export class BoundedOutput {
  readonly #limitBytes: number;
  #bytes: Uint8Array;
  #sizeBytes = 0;

  /** @param initialBytes the memory that it takes before it has any bytes */
  constructor(limitBytes: number, initialBytes: number = INITIAL_BYTES) {
    this.#limitBytes = limitBytes;
    this.#bytes = new Uint8Array(initialBytes);
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Announces this many further bytes. @throws {LimitExceeded} */
  expect(sizeBytes: number): void {
    if (this.#sizeBytes + sizeBytes > this.#limitBytes) throw new LimitExceeded();
  }

  /** @throws {LimitExceeded} */
  add(chunk: Uint8Array): void {
    const at = this.#grow(chunk.length);
    if (chunk.length > SHORT_CHUNK_BYTES) this.#bytes.set(chunk, at);
    else for (let i = 0; i < chunk.length; i++) this.#bytes[at + i] = chunk[i] ?? 0;
  }

  /**
   * Copies `sizeBytes` bytes, starting `offset` (1 or more) before the end, to the end. If `sizeBytes` is greater than `offset`, bytes that were just
   * copied are copied again.
   * @throws {LimitExceeded}
   */
  repeat(offset: number, sizeBytes: number): void {
    const at = this.#grow(sizeBytes);
    const bytes = this.#bytes;
    if (offset >= sizeBytes && sizeBytes > SHORT_CHUNK_BYTES) bytes.copyWithin(at, at - offset, at - offset + sizeBytes);
    else for (let i = at; i < at + sizeBytes; i++) bytes[i] = bytes[i - offset] ?? 0;
  }

  /** All bytes so far, not copied. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#sizeBytes);
  }

  /** Makes room for further bytes. @returns where they start. */
  #grow(moreBytes: number): number {
    this.expect(moreBytes);
    const at = this.#sizeBytes;
    this.#sizeBytes += moreBytes;
    if (this.#sizeBytes > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.#sizeBytes, 2 * this.#bytes.length));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    return at;
  }
}
