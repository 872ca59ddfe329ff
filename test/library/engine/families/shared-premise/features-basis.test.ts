import { describe, expect, it } from "vitest";
import { readBases } from "../../../../../src/library/engine/families/shared-premise/features-basis.ts";
import type { Basis } from "../../../../../src/library/engine/families/shared-premise/features-basis.ts";
import type { SharedPremiseManifest } from "../../../../../src/library/engine/families/shared-premise/manifest.ts";
import { basisFile } from "../../../../support/basis-file.ts";
import { decideError } from "../../../../support/rejection.ts";

// Five values: neither the scales nor the second part begin at a multiple of four.
const STATE = { mean: [1, 2, 3, 4, 5], components: [[1, -2, 3, -4, 5]], scales: [0.5] };
const QUESTION = { mean: [-1, -2, -3, -4, -5], components: [[127, -128, 0, 1, -1]], scales: [0.25] };

function read(bytes: Uint8Array<ArrayBuffer>, components = 1): Promise<readonly Basis[]> {
  const features = { layers: [5], basis: { file: "features.bin", components } };
  const manifest = { features, network: { heads: 5, headSize: 1 } } as unknown as SharedPremiseManifest;
  return readBases({ manifest, read: () => Promise.resolve(bytes) });
}

describe("the file of a basis", () => {
  it("has mean, components and scales of the state's part, then those of the question's", async () => {
    const expected = [STATE, QUESTION].map(({ mean, components, scales }) => ({
      mean: Float32Array.from(mean),
      components: Int8Array.from(components.flat()),
      scales: Float32Array.from(scales),
    }));
    expect(await read(basisFile([STATE, QUESTION]))).toEqual(expected);
  });

  it.each([0, 1, 57, 59, 1000])("of %i bytes is refused by its name: it has 58", async (length) => {
    const error = await decideError(() => read(new Uint8Array(length)));
    expect(error).toMatchObject({ code: "model_invalid" });
    expect(error.message).toBe("features.bin does not have 58 bytes, as its components need: install the pack again.");
  });
});
