#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { nodePlatform } from "../platform/node/platform.ts";
import { checkCommand } from "./check-command.ts";
import { completionCommand } from "./completion-command.ts";
import { creditsCommand } from "./credits-command.ts";
import { decideCommand } from "./decide-command.ts";
import { doctorCommand } from "./doctor-command.ts";
import { evalCommand } from "./eval-command.ts";
import { explainCommand } from "./explain-command.ts";
import { report } from "./failure.ts";
import { keysCommand } from "./keys-command.ts";
import { modelsCommand } from "./models-command.ts";
import { playgroundCommand } from "./playground-command.ts";
import { runCommand } from "./run-command.ts";
import { serveCommand } from "./serve-command.ts";
import { teachCommand } from "./teach-command.ts";
import { workerCommand } from "./worker-command.ts";
import { escapeControls } from "./output/terminal-text.ts";

// Only a running server catches Ctrl-C. Any other command ends by the signal, at once and without a message, and the shell sees 130.

// This file is built to dist/cli.js. index.node.ts finds the package's folder in the same way. It must not be imported here, or the bundler would
// move its code one folder deeper.
const packageRoot = new URL("../", import.meta.url);

async function main(): Promise<void> {
  const { version } = JSON.parse(await readFile(new URL("package.json", packageRoot), "utf8")) as { version: string };
  const dist = new URL("./", import.meta.url);
  const platform = nodePlatform(dist);
  const program = new Command("umpire")
    .description("Makes the call, on your machine: answers structured questions about a text with calibrated probabilities.")
    .version(version, "-V, --version", "print the version")
    .addCommand(decideCommand(platform))
    .addCommand(explainCommand(platform))
    .addCommand(playgroundCommand(dist))
    .addCommand(doctorCommand(platform, dist))
    .addCommand(runCommand(platform))
    .addCommand(workerCommand(platform))
    .addCommand(evalCommand(platform))
    .addCommand(teachCommand(platform))
    .addCommand(checkCommand(platform))
    .addCommand(modelsCommand(platform, dist))
    .addCommand(serveCommand(platform))
    .addCommand(keysCommand())
    .addCommand(creditsCommand())
    .addCommand(completionCommand());
  configure(program);
  await program.parseAsync();
}

/** Applies to a command and its subcommands. */
function configure(command: Command): void {
  command
    .helpOption("-h, --help", "print help")
    .exitOverride()
    .configureOutput({
      // The parser's messages quote what was typed.
      outputError: (text, write) => {
        write(escapeControls(text.replace(/^error: /u, "umpire: ")));
      },
    });
  if (command.commands.length > 0) command.helpCommand("help [command]", "print help for a command");
  command.commands.forEach(configure);
}

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // EPIPE: the reader of the pipe, for example `head`, has seen enough.
  process.exit(error.code === "EPIPE" ? 0 : report(error));
});

try {
  await main();
} catch (error) {
  process.exitCode = report(error);
}
