// Answers the requests in requests/ and prints them like `umpire decide examples/requests/*.json` in a terminal.
//   npm run demo
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const requests = new URL("requests/", import.meta.url);
const files = readdirSync(requests)
  .filter((name) => name.endsWith(".json"))
  .sort()
  .map((name) => fileURLToPath(new URL(name, requests)));
const commandLine = fileURLToPath(new URL("../dist/cli.js", import.meta.url));

const flags = ["--pretty", ...process.argv.slice(2)];
const { status } = spawnSync(process.execPath, [commandLine, "decide", ...flags, ...files], { stdio: "inherit" });
process.exitCode = status ?? 1;
