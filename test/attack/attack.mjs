// Attacks the built service, packs and library on this machine, and says what held. Exits with 1 if something did not.
//   npm run attack -- [--short] [--only <part of a name>] [--json <file>] [--write]
//   npm run attack -- --together [--minutes <number>] [--only <part of a name>] [--json <file>] [--write]
// Each server is a child process on a free port of 127.0.0.1. `--write` puts the table into SECURITY.md. Needs Linux.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ALONE, TOGETHER } from "./attacks.mjs";
import { lineOf, table, writePaper } from "./report.mjs";
import { runAttack } from "./run-attack.mjs";
import { runTogether } from "./together.mjs";

const SHORT_SECONDS = 20;

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    json: { type: "string" },
    write: { type: "boolean", default: false },
    together: { type: "boolean", default: false },
    minutes: { type: "string", default: "10" },
  },
});
if (process.platform !== "linux") {
  console.error("The attacks need Linux: they read a server's memory from /proc.");
  process.exit(2);
}

if (values.write && (values.short || values.only !== "")) {
  console.error("SECURITY.md holds the long form of all attacks: --write goes neither with --short nor with --only.");
  process.exit(2);
}

const { short } = values;
const isAsked = ({ name, seconds }) => name.includes(values.only) && (!short || seconds.short !== undefined);
const outcomes = [];
const report = (outcome) => {
  console.log(lineOf(outcome));
  outcomes.push(outcome);
};
const together = TOGETHER.filter(isAsked);
if (values.together) (await runTogether(together, { seconds: 60 * values.minutes, short })).forEach(report);
// The short form makes them at once, to take less time.
else if (short && together.length > 1) (await runTogether(together, { seconds: SHORT_SECONDS, short })).forEach(report);
else for (const attack of together) report(await runAttack(attack, { short }));
if (!values.together) for (const attack of ALONE.filter(isAsked)) report(await runAttack(attack, { short }));

console.log(`\n${table(outcomes)}`);
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(outcomes, null, 2));
if (values.write) await writePaper(values.together ? "together" : "attacks", outcomes);
process.exit(outcomes.every(({ holds }) => holds) ? 0 : 1);
