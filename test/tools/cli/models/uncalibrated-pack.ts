import { PackCopy } from "../../../support/pack-copy.ts";

export const UNCALIBRATED = {
  choice: [{ maxOptions: 255, temperature: 1 }],
  noul: { temperature: 1, bias: 0 },
  score: { temperature: 1 },
  uncalibrated: true,
};

/** A pack as it is added: without a calibration. */
export async function uncalibratedPack(): Promise<PackCopy> {
  const copy = await PackCopy.make();
  await copy.lie((manifest) => Object.assign(manifest, { id: "mine", calibration: UNCALIBRATED, source: { name: "org/mine" } }));
  await copy.sealManifest();
  return copy;
}
