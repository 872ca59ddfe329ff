// Attacks the built service, packs and library on this machine, and says what held. Exits with 1 if something did not.
//   npm run attack -- [--short] [--only <part of a name>] [--json <file>] [--write]
//   npm run attack -- --together [--minutes <number>] [--json <file>] [--write]
// Each server is a child process on a free port of 127.0.0.1. `--write` puts the table into SECURITY.md. Needs Linux.
import { writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { ATTACKS } from "./attacks.mjs";
import { lineOf, table, writePaper } from "./report.mjs";
import { runAttack } from "./run-attack.mjs";
import { runTogether } from "./together.mjs";

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

const outcomes = [];
const isAsked = ({ name, seconds }) => name.includes(values.only) && (!values.short || seconds.short !== undefined);
if (values.together) outcomes.push(...(await runTogether(Number(values.minutes))));
else
  for (const attack of ATTACKS.filter(isAsked)) {
    const outcome = await runAttack(attack, { short: values.short });
    console.log(lineOf(outcome));
    outcomes.push(outcome);
  }

console.log(`\n${table(outcomes)}`);
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(outcomes, null, 2));
if (values.write) await writePaper(values.together ? "together" : "attacks", outcomes);
process.exit(outcomes.every(({ holds }) => holds) ? 0 : 1);
