/** What whitens one part of the features. */
export interface BasisPart {
  readonly mean: readonly number[];
  /** Whole numbers from -128 to 127. */
  readonly components: readonly (readonly number[])[];
  readonly scales: readonly number[];
}

/** The file of a pack that holds the bases of the state's part and the question's: ARCHITECTURE.md, "Features". */
export function basisFile(parts: readonly BasisPart[]): Uint8Array<ArrayBuffer> {
  const bytes = parts.map(({ mean, components, scales }) => {
    const components8 = Int8Array.from(components.flat());
    const part = new DataView(new ArrayBuffer(4 * mean.length + components8.length + 4 * scales.length));
    mean.forEach((value, i) => {
      part.setFloat32(4 * i, value, true);
    });
    new Int8Array(part.buffer).set(components8, 4 * mean.length);
    scales.forEach((scale, i) => {
      part.setFloat32(4 * mean.length + components8.length + 4 * i, scale, true);
    });
    return new Uint8Array(part.buffer);
  });
  const file = new Uint8Array(bytes.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of bytes) {
    file.set(part, at);
    at += part.length;
  }
  return file;
}
