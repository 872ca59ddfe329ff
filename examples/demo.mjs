// Answers the requests in requests/ and prints them as `umpire decide` does in a terminal.
//   node node_modules/umpire/examples/demo.mjs; in a clone of the repository: npm run demo
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** In this order. The last one is too short to answer: it goes to a person. */
const REQUESTS = [
  "support-ticket",
  "news-desk",
  "junk-mail",
  "voice-command",
  "product-return",
  "bug-report",
  "feature-wish",
  "bank-message",
  "school-email",
  "restaurant-review",
  "appointment",
  "recipe",
  "log-alert",
  "agent-next-step",
  "long-thread",
  "unclear-ticket",
];

const files = REQUESTS.map((name) => fileURLToPath(new URL(`requests/${name}.json`, import.meta.url)));
const commandLine = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

const flags = ["--pretty", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [commandLine, "decide", ...flags, ...files], { stdio: "inherit" });
process.exitCode = status ?? 1;
