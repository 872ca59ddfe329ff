// Prints the parts of one cold start as one line of JSON: { uptimeMs, rssBytes, parts }. `node bench/speed/start/cold-parts.mjs 9 [folder of a pack]`: medians of
// so many starts.
// Parts follow each other, except that reading and verifying may lie within others; what is left is parsing, and the event loop:
//   bootMs      the process, up to its first line        importMs   of "umpire"               findMs      up to the worker's start: options, catalogue
//   workerMs    the thread and its script                readMs     from the first file's opening to the last one's end
//   verifyMs    SHA-256 of all files, summed             runtimeMs  the native library        sessionMs   the probe's session and the model's
//   parseMs     JSON of manifest and tokenizer, summed   selfTestMs from the last session on  loadMs      from the worker's script to the engine, all of these
//   firstRunMs  the call in the worker                   answerMs   from there to the caller
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("cold.mjs", import.meta.url));
const watch = fileURLToPath(new URL("watch.cjs", import.meta.url));

/** @param {readonly string[]} options of cold.mjs */
export async function coldParts(options = []) {
  const env = { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ""} --require "${watch}"` };
  const child = spawn(process.execPath, [program, ...options], { env, stdio: ["ignore", "pipe", "inherit", "pipe"] });
  const [printed, noted] = await Promise.all([text(child.stdout), text(child.stdio[3])]);
  const { uptimeMs, importedMs, answeredMs, rssBytes } = JSON.parse(printed);
  const threads = noted.trim().split("\n").map(JSON.parse);
  const main = threads.find(({ isMainThread }) => isMainThread);
  const worker = threads.find(({ isMainThread }) => !isMainThread);
  const of = (part) => worker.spans.filter((span) => span.part === part);
  const sum = (part) => of(part).reduce((ms, { startMs, endMs }) => ms + endMs - startMs, 0);
  const first = (part) => Math.min(...of(part).map(({ startMs }) => startMs));
  const last = (part) => Math.max(...of(part).map(({ endMs }) => endMs));
  const parts = {
    bootMs: uptimeMs - (answeredMs - main.loadedMs),
    importMs: importedMs - main.loadedMs,
    findMs: main.workerMs - importedMs,
    workerMs: worker.readyMs - main.workerMs,
    readMs: last("read") - first("read"),
    verifyMs: sum("verify"),
    runtimeMs: sum("runtime"),
    parseMs: sum("parse"),
    sessionMs: sum("session"),
    selfTestMs: worker.engineMs - last("session"),
    loadMs: worker.engineMs - worker.readyMs,
    firstRunMs: worker.answeredMs - worker.engineMs,
    answerMs: answeredMs - worker.answeredMs,
  };
  return { uptimeMs, rssBytes, parts };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
const round = (value) => Math.round(value * 10) / 10;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const starts = [];
  for (let i = 0; i < Number(process.argv[2] ?? 1); i++) starts.push(await coldParts(process.argv.slice(3)));
  const of = (read) => round(median(starts.map(read)));
  const parts = Object.fromEntries(Object.keys(starts[0].parts).map((part) => [part, of((start) => start.parts[part])]));
  console.log(JSON.stringify({ uptimeMs: of((start) => start.uptimeMs), rssBytes: of((start) => start.rssBytes), parts }));
}
