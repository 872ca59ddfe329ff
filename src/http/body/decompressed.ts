/** Thrown once there is more than the limit. */
export class TooMuch extends Error {}

const INITIAL_BYTES = 65_536;

/** Bytes that come out of a decompressor, up to a limit. Their memory grows with what there is, not with what is announced. */
export class Output {
  readonly #limitBytes: number;
  #bytes = new Uint8Array(INITIAL_BYTES);
  #sizeBytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  /** Says that so many bytes more will come. @throws {TooMuch} */
  expect(sizeBytes: number): void {
    if (this.#sizeBytes + sizeBytes > this.#limitBytes) throw new TooMuch();
  }

  /** @throws {TooMuch} */
  add(chunk: Uint8Array): void {
    const at = this.#grow(chunk.length);
    // A call for each of a few bytes costs more than the bytes.
    if (chunk.length > 32) this.#bytes.set(chunk, at);
    else for (let i = 0; i < chunk.length; i++) this.#bytes[at + i] = chunk[i] ?? 0;
  }

  /** Once more what stands `offset` before the end, 1 or more: so many bytes, of which the last may be among those that are added. @throws {TooMuch} */
  repeat(offset: number, sizeBytes: number): void {
    const at = this.#grow(sizeBytes);
    const bytes = this.#bytes;
    if (offset >= sizeBytes && sizeBytes > 32) bytes.copyWithin(at, at - offset, at - offset + sizeBytes);
    else for (let i = at; i < at + sizeBytes; i++) bytes[i] = bytes[i - offset] ?? 0;
  }

  /** All that there is. */
  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#sizeBytes);
  }

  /** Where so many bytes more have room. */
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
