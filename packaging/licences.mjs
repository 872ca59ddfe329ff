// The licence of a bundled package: its id by SPDX, and its text.
import { readFile } from "node:fs/promises";
import cyclonedx from "@cyclonedx/cyclonedx-library";

const { Contrib, SPDX } = cyclonedx;
/** Texts of packages that are published without, and notices about the parts inside them. A folder is named for one version, so a new one is looked at anew. */
const OWN_TEXTS = new URL("licences/", import.meta.url);

/**
 * @param {{ folder: string, name: string, version: string, license: unknown }} part `license` as its package.json states it
 * @returns {Promise<import("./licences.mjs").Licence>}
 * @throws {Error} if the id is none of SPDX's list, or there is no text
 */
export async function licenceOf({ folder, name, version, license }) {
  if (!SPDX.isSupportedSpdxId(license)) {
    throw new Error(
      `${name} ${version} is bundled, but the licence in its package.json is not one id of SPDX's list. See what it allows before you bundle it.`,
    );
  }
  const kept = (file) => readFile(new URL(`${name}@${version}/${file}`, OWN_TEXTS), "utf8").then(tidy, missing);
  const published = publishedTexts(folder);
  const licence = published.licence || (await kept("LICENSE"));
  const notices = await kept("ThirdPartyNotices.txt");
  if (!licence) {
    throw new Error(
      `${name} ${version} is bundled, but has no file with its licence. Put the licence's text into packaging/licences/${name}@${version}/LICENSE.`,
    );
  }
  const text = [licence, ...published.notices].join("\n\n");
  return { id: license, text, ...(notices !== undefined && { notices }) };
}

/** Files such as LICENSE, and NOTICE, which the Apache License asks to hand on and which is no licence by itself. */
function publishedTexts(folder) {
  const files = [...new Contrib.License.Utils.LicenseEvidenceGatherer().getFileAttachments(folder)]
    .map(({ file, text }) => ({ isNotice: /^notice$/i.test(file), file, text: tidy(Buffer.from(text.content, "base64").toString()) }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  const texts = (isNotice) => files.filter((one) => one.isNotice === isNotice && one.text !== "").map(({ text }) => text);
  return { licence: texts(false).join("\n\n"), notices: texts(true) };
}

function missing(error) {
  if (error.code !== "ENOENT") throw error;
}

/** Without what differs between systems: ends of lines, a byte order mark, spaces around. */
function tidy(text) {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/^\uFEFF/, "")
    .replace(/[ \t]+$/gm, "")
    .replace(/^\n+|\n+$/g, "");
}
