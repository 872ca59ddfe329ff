import { DecideError } from "../../errors.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import { makeHubTokenizer } from "../tokenizers/hub-tokenizer.ts";
import type { HubTokenizer } from "../tokenizers/hub-tokenizer.ts";
import type { EncoderManifest } from "./manifest.ts";

/**
 * The tokenizer of a pack.
 * @param adapt changes the content of its tokenizer.json. Default: not at all.
 * @throws {DecideError} `model_invalid` when it is of a kind that is not read.
 */
export function readHubTokenizer(
  { manifest, read }: Pick<ModelPack<EncoderManifest>, "manifest" | "read">,
  adapt = (json: unknown): unknown => json,
): HubTokenizer {
  const { file } = manifest.tokenizer;
  const bytes = read(file);
  try {
    return makeHubTokenizer(adapt(JSON.parse(new TextDecoder().decode(bytes))));
  } catch (cause) {
    const message = `${file} is not a tokenizer that this version of umpire reads: add the model again.`;
    throw new DecideError("model_invalid", message, { cause });
  }
}
