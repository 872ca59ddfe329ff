// Who warns: by a text's words alone, and by a model's tokenizer, too. No model is run.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { importBundled } from "../../test/support/bundled.mjs";

const MODELS = ["umpire-2", "umpire-3-base"];
const PARTS = `
export { isEnglish, isForeign } from "./library/engine/language.ts";
export { isUnread } from "./library/tokenizer/bert-tokenizer.ts";
export { makeBertTokenizer } from "./library/tokenizer/bert-tokenizer.ts";
`;

/** @returns {Promise<{ name: string, warns: (text: string) => boolean }[]>} */
export async function readers() {
  const stdin = { contents: PARTS, loader: "ts", resolveDir: fileURLToPath(new URL("../../src/", import.meta.url)) };
  const { isEnglish, isForeign, isUnread, makeBertTokenizer } = await importBundled({ stdin }, new URL(".", import.meta.url));
  const ofModels = await Promise.all(
    MODELS.map(async (name) => {
      const file = new URL(`../../models/${name}/tokenizer.json`, import.meta.url);
      const { wordsOf } = makeBertTokenizer(JSON.parse(await readFile(file, "utf8")));
      return { name, warns: (text) => isUnread(text, wordsOf(text), { isEnglish, isForeign }) };
    }),
  );
  return [{ name: "words", warns: isForeign }, ...ofModels];
}
