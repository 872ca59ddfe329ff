import { DecideError } from "../../../errors.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import { makeHubTokenizer } from "../../tokenizer/hub-tokenizer.ts";
import type { HubTokenizer } from "../../tokenizer/hub-tokenizer.ts";
import type { EncoderManifest } from "./manifest.ts";

/** The largest published ones, of vocabularies with 250,000 entries in all languages, have 17 MB. */
const MAX_FILE_BYTES = 50_000_000;

/**
 * The tokenizer of a pack.
 * @param make reads the content of its tokenizer.json, and may throw
 * @throws {DecideError} `model_invalid` when it is not one that is read.
 */
export async function readTokenizer(
  { manifest, read }: Pick<ModelPack<EncoderManifest>, "manifest" | "read">,
  make: (tokenizerJson: unknown) => HubTokenizer = makeHubTokenizer,
): Promise<HubTokenizer> {
  const { file } = manifest.tokenizer;
  const bytes = await read(file);
  try {
    if (bytes.length > MAX_FILE_BYTES) throw new Error("it is too large");
    return make(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (cause) {
    throw new DecideError("model_invalid", `${file} is not a tokenizer that this version of umpire reads: add the model again.`, { cause });
  }
}
