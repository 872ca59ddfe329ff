// node .ci/failed-tests.mjs <vitest's JSON report> <file>: prints the numbers of passed and failed tests, and writes the failures to the file.
import { readFileSync, writeFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

const [reportFile, failuresFile] = process.argv.slice(2);
const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(reportFile, "utf8"));
const MESSAGE_LINES = 6;
const LINE_LENGTH = 200;

const lines = [];
const note = (file, name, message) => {
  lines.push([relative(process.cwd(), file), ...name].join(" > "));
  const text = stripVTControlCharacters(message).split("\n").slice(0, MESSAGE_LINES);
  lines.push(...text.map((line) => `    ${line.slice(0, LINE_LENGTH)}`));
};

for (const { name: file, status, message, assertionResults } of testResults) {
  const failed = assertionResults.filter((test) => test.status === "failed");
  for (const { ancestorTitles, title, failureMessages } of failed) note(file, [...ancestorTitles, title], failureMessages.join("\n"));
  // The file could not be loaded, or a hook failed.
  if (status === "failed" && failed.length === 0) note(file, [], message);
}
if (lines.length > 0) writeFileSync(failuresFile, `${lines.join("\n")}\n`);
console.log(`${numPassedTests} ${numFailedTests}`);
