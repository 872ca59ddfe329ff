// Writes a run's tables and figures into docs/ and README.md, so that no figure is copied by hand.
import { readFile, writeFile } from "node:fs/promises";
import { shownEnvironment } from "../environment.mjs";
import { speedDrawings } from "./drawings.mjs";
import {
  callersTable,
  firstTable,
  markdownOf,
  notesOf,
  peakTable,
  readingTable,
  shownMs,
  startTable,
  targetTable,
  warmTable,
} from "./tables.mjs";
import { TARGET_SIZES, keyOf } from "./grid.mjs";

const ROOT = new URL("../../", import.meta.url);

/** @param {object} results of a run without --quick, with the peer */
export async function writePapers(results) {
  for (const { name, svg } of speedDrawings(results)) await writeFile(new URL(`docs/${name}.svg`, ROOT), svg);
  await writeSections("docs/speed.md", speedSections(results));
  await writeSections("README.md", { speed: markdownOf(readmeTable(results)) });
}

/** Texts by the name of their place in docs/speed.md. */
export function speedSections(results) {
  const notes = notesOf(results.cells).map((note) => note.replace("*", "\\*"));
  return {
    environment: `${shownEnvironment(results.environment)}.`,
    targets: markdownOf(targetTable(results)),
    warm: [markdownOf(warmTable(results)), ...notes].join("\n\n"),
    first: markdownOf(firstTable(results)),
    reading: markdownOf(readingTable(results)),
    callers: markdownOf(callersTable(results)),
    start: markdownOf(startTable(results)),
    peak: markdownOf(peakTable(results)),
  };
}

/** The few rows that the README shows. */
export function readmeTable({ cells, starts }) {
  const row = (size) => {
    const { name, contenders } = cells.find(({ key }) => key === keyOf(TARGET_SIZES[size]));
    const { umpire, "transformers.js fp32": peer } = contenders;
    return [name, shownMs(umpire.warm.medianMs), shownMs(peer.warm.medianMs), peer.timesAsLong.value.toFixed(1)];
  };
  const { umpire, peer } = starts;
  return [
    ["", "umpire", "transformers.js", "ratio"],
    ...Object.keys(TARGET_SIZES).map(row),
    ["process start to first answer", shownMs(umpire.ms.value), shownMs(peer.ms.value), (peer.ms.value / umpire.ms.value).toFixed(1)],
    ["memory after one answer", `${umpire.rssMb.toFixed(0)} MB`, `${peer.rssMb.toFixed(0)} MB`, (peer.rssMb / umpire.rssMb).toFixed(1)],
  ];
}

/** Puts each text between the two comments that are named for it. */
async function writeSections(path, sections) {
  const file = new URL(path, ROOT);
  await writeFile(file, withSections(await readFile(file, "utf8"), sections));
}

/** @param {string} paper @param {Record<string, string>} sections @returns {string} the paper with other texts in its places */
export function withSections(paper, sections) {
  return Object.entries(sections).reduce((text, [name, section]) => {
    const [start, end] = [`<!-- bench: ${name} -->`, `<!-- end of ${name} -->`];
    const [from, to] = [text.indexOf(start), text.indexOf(end)];
    if (from < 0 || to < from) throw new Error(`there is no "${start}" followed by "${end}"`);
    return `${text.slice(0, from)}${start}\n\n${section}\n\n${text.slice(to)}`;
  }, paper);
}
