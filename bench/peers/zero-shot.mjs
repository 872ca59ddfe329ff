#!/usr/bin/env node
/**
 * Times transformers.js' zero-shot classification (see pair-classifier.mjs). Run ./prepare first.
 *
 *   node zero-shot.mjs workloads.json          runs all workloads; prints one JSON document
 *   node zero-shot.mjs --serve                 reads a request per line from stdin, prints an answer per line
 *   node zero-shot.mjs --cold [workloads.json] loads, answers the first workload (or a short one) once, prints the process's age and exits
 *
 * workloads.json  { "workloads": [{ "name", "text", "labels": [...], "runs"?: 30, "warmups"?: 5 }], "threads"?: 2 }
 * --serve         { "name", "text", "labels": [...] } -> { "name", "ms", "rssBytes", "labels", "scores", ...reading }, or { "error" }
 * Options         --threads N (default: transformers.js' own choice), --model FOLDER (default: .model beside this file), --dtype fp32|q8
 */
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { loadPairClassifier, MODEL_FOLDER, versions } from "./pair-classifier.mjs";

const SHORT_REQUEST = { name: "short", text: "My card was charged twice.", labels: ["billing", "technical", "other"] };

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    serve: { type: "boolean", default: false },
    cold: { type: "boolean", default: false },
    threads: { type: "string" },
    model: { type: "string", default: MODEL_FOLDER },
    dtype: { type: "string", default: "fp32" },
  },
});
const [path] = positionals;
const plan = path === undefined ? {} : JSON.parse(readFileSync(path, "utf8"));
const threads = options.threads === undefined ? plan.threads : Number(options.threads);

const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const rssBytes = () => process.memoryUsage.rss();
const load = () => loadPairClassifier({ folder: options.model, threads, dtype: options.dtype });

const ascending = (values) => [...values].sort((a, b) => a - b);

/** For an even number of values, the mean of the middle two. */
function median(values) {
  const sorted = ascending(values);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Nearest rank: the smallest value that at least 95% of the values do not exceed. */
function p95(values) {
  return ascending(values)[Math.ceil(0.95 * values.length) - 1];
}

async function measured(classifier, { name, text, labels, runs = 30, warmups = 5 }) {
  const latenciesMs = [];
  for (let run = -warmups; run < runs; run++) {
    const { ms } = await classifier.answer({ text, labels });
    if (run >= 0) latenciesMs.push(ms);
  }
  const reading = classifier.reading({ text, labels });
  const figures = { medianMs: median(latenciesMs), p95Ms: p95(latenciesMs), latenciesMs };
  return { name, labels: labels.length, ...reading, ...figures, rssBytes: rssBytes() };
}

async function measureAll() {
  const classifier = await load();
  const loadedAfterMs = process.uptime() * 1000;
  const workloads = [];
  for (const workload of plan.workloads) workloads.push(await measured(classifier, workload));
  print({ versions, threads: threads ?? null, loadedAfterMs, workloads, rssBytes: rssBytes() });
}

async function serve() {
  const classifier = await load();
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === "") continue;
    try {
      const { name, text, labels } = JSON.parse(line);
      const answer = await classifier.answer({ text, labels });
      print({ name, ...answer, rssBytes: rssBytes(), ...classifier.reading({ text, labels }) });
    } catch (error) {
      print({ error: String(error) });
    }
  }
}

async function answerOnce() {
  const request = plan.workloads?.[0] ?? SHORT_REQUEST;
  const classifier = await load();
  const { ms } = await classifier.answer(request);
  print({ versions, name: request.name, uptimeMs: process.uptime() * 1000, ms, rssBytes: rssBytes() });
}

if (options.serve) await serve();
else if (options.cold) await answerOnce();
else if (path !== undefined) await measureAll();
else {
  console.error("Usage: node zero-shot.mjs workloads.json | --serve | --cold [workloads.json]");
  process.exitCode = 2;
}
