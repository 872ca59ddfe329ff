// Writes a run's tables and figures into docs/, README.md and bench/LOG.md, so that no figure is copied by hand. docs/speed.md shows what a user needs, the log
// all of the run.
import { readFile, writeFile } from "node:fs/promises";
import { shownEnvironment } from "../environment.mjs";
import { speedDrawings } from "./drawings.mjs";
import {
  answersTable,
  callersTable,
  firstTable,
  markdownOf,
  notesOf,
  peakTable,
  readingTable,
  shortStartTable,
  shortWarmTable,
  shownMs,
  startTable,
  targetTable,
  warmTable,
} from "./tables.mjs";
import { TARGET_SIZES, keyOf } from "./grid.mjs";

const ROOT = new URL("../../", import.meta.url);
/** What the README has room for, and whom it shows. */
const README_SIZES = [TARGET_SIZES.usual, TARGET_SIZES.manyQuestions];
const PEER = "transformers.js fp32";
/** A whole run has them. */
const NEEDED = ["environment", "cells", "secondQuestion", "callers", "starts"];

/**
 * The base model may be missing: without its pack there is nothing to measure, and the papers then say nothing of it.
 * @throws {Error} if another part is missing, as nothing of an older run may stay in the papers
 */
export function checkWhole(results) {
  const lacksPeer = [results, results.base].some((of) => of?.starts !== undefined && of.starts.peer === undefined);
  if (results.extent === "quick" || NEEDED.some((part) => results[part] === undefined) || lacksPeer)
    throw new Error("The papers show a whole run, with the peer: neither --quick nor --only, and bench/peers/prepare before.");
}

/** @param {object} results of a whole run @throws {Error} for any other */
export async function writePapers(results) {
  checkWhole(results);
  const drawings = speedDrawings(results);
  for (const { name, svg } of drawings) await writeFile(new URL(`docs/${name}.svg`, ROOT), svg);
  await writeSection("docs/speed.md", "bench", speedSection(results, drawings));
  if (results.base) await writeSection("docs/speed.md", "base", baseSection(results.base));
  await writeSection("bench/LOG.md", "bench", logSection(results));
  await writeSection("README.md", "bench", readmeSection(results, drawings));
}

const part = (title, ...texts) => [`### ${title}`, ...texts];
const joined = (...texts) => texts.flat().join("\n\n");

/** @param {object} results @param {readonly { name: string, title: string }[]} drawings @returns {string} the part of docs/speed.md about Node */
export function speedSection(results, drawings) {
  return joined(
    `${shownEnvironment(results.environment)}.`,
    part("Warm", "One call after the other; in brackets, times as long as umpire takes.", markdownOf(shortWarmTable(results))),
    markedNotes(results.cells),
    drawings.map(({ name, title }) => `![${title}](${name}.svg)`),
    part("A state that is read already", markdownOf(readingTable(results))),
    part("Callers in flight", "Answers a second.", markdownOf(answersTable(results))),
    part("Start", markdownOf(shortStartTable(results))),
  );
}

/** @param {object} base what was measured of the base model @returns {string} the part of docs/speed.md about it */
export function baseSection(base) {
  return joined(
    `${shownEnvironment(base.environment)}.`,
    markdownOf(shortWarmTable(base)),
    markedNotes(base.cells),
    markdownOf(shortStartTable(base)),
  );
}

/** @param {object} results @returns {string} the part of bench/LOG.md about the last whole run */
export function logSection(results) {
  const { base } = results;
  return joined(
    settingOf(results),
    part("Targets", markdownOf(targetTable(results))),
    part("Warm", "In brackets, times as long as umpire takes.", markdownOf(warmTable(results)), ...markedNotes(results.cells)),
    part("One call", "The caches hold what another program left there.", markdownOf(firstTable(results))),
    part("Callers in flight", markdownOf(callersTable(results))),
    part("Start", "Parts may run side by side.", markdownOf(startTable(results))),
    part("The machine's peak", markdownOf(peakTable(results))),
    base
      ? part(base.environment.model, settingOf(base), markdownOf(warmTable(base)), ...markedNotes(base.cells), markdownOf(startTable(base)))
      : [],
  );
}

const settingOf = ({ environment, notes }) => `${[shownEnvironment(environment), ...notes].join("; ")}.`;
const markedNotes = (cells) => notesOf(cells).map((note) => note.replace("*", "\\*"));

/** @param {object} results @param {readonly { name: string }[]} drawings @returns {string} the part of README.md about speed */
export function readmeSection(results, drawings) {
  const [first] = drawings;
  const figure = first ? [`![Time](docs/${first.name}.svg)`] : [];
  return [markdownOf(readmeTable(results)), ...figure].join("\n\n");
}

/** The few rows that the README shows. */
export function readmeTable({ cells, starts }) {
  const row = (size) => {
    const { name, notes, contenders } = cells.find(({ key }) => key === keyOf(size));
    const { umpire, [PEER]: peer } = contenders;
    const theirs =
      shownMs(peer.warm.medianMs) + (notes.some((note) => note.startsWith(PEER)) ? `, without its labels: it cuts at 512` : "");
    return [name, shownMs(umpire.warm.medianMs), theirs, peer.timesAsLong.value.toFixed(1)];
  };
  const { umpire, peer } = starts;
  return [
    ["", "umpire", "transformers.js", "ratio"],
    ...README_SIZES.map(row),
    ["start to first answer", shownMs(umpire.ms.value), shownMs(peer.ms.value), (peer.ms.value / umpire.ms.value).toFixed(1)],
    ["memory after one answer", `${umpire.rssMb.toFixed(0)} MB`, `${peer.rssMb.toFixed(0)} MB`, (peer.rssMb / umpire.rssMb).toFixed(1)],
  ];
}

async function writeSection(path, name, section) {
  const file = new URL(path, ROOT);
  await writeFile(file, withSection(await readFile(file, "utf8"), name, section));
}

/**
 * Puts the section between the paper's two comments of that name.
 * @param {string} paper @param {"bench" | "base"} name @param {string} section @returns {string} the paper with another section
 */
export function withSection(paper, name, section) {
  const [start, end] = [`<!--${name}-->`, `<!--/${name}-->`];
  const [from, to] = [paper.indexOf(start), paper.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no "${start}" followed by "${end}"`);
  return `${paper.slice(0, from)}${start}\n\n${section}\n\n${paper.slice(to)}`;
}
