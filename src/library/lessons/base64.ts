/** float32 values, little-endian, in Base64. */

/** Bytes that become characters at once: `String.fromCharCode` takes a limited number of arguments. */
const PIECE_BYTES = 8192;

export function toBase64(values: ArrayLike<number>): string {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (let i = 0; i < values.length; i++) view.setFloat32(i * 4, values[i] ?? 0, true);
  const bytes = new Uint8Array(view.buffer);
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + PIECE_BYTES)));
  return btoa(pieces.join(""));
}

/** Undefined for text that is no Base64 of `length` finite numbers. */
export function fromBase64(text: string, length: number): Float32Array | undefined {
  if (text.length !== 4 * Math.ceil((length * 4) / 3)) return undefined;
  let characters: string;
  try {
    characters = atob(text);
  } catch {
    return undefined;
  }
  if (characters.length !== length * 4) return undefined;
  const view = new DataView(Uint8Array.from(characters, (character) => character.charCodeAt(0)).buffer);
  const values = Float32Array.from({ length }, (_, i) => view.getFloat32(i * 4, true));
  return values.every(Number.isFinite) ? values : undefined;
}
