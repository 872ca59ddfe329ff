import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { createDeciderOn } from "../../library/decider/create-decider.ts";
import { nodePlatform } from "../../library/platform/node/platform.ts";
import { agreementCommand } from "./agreement-command.ts";
import { checkCommand } from "./check-command.ts";
import type { CreateDecider, Io } from "./io.ts";
import { creditsCommand } from "./credits-command.ts";
import { decideCommand } from "./decide-command.ts";
import { doctorCommand } from "./doctor-command.ts";
import { evalCommand } from "./eval-command.ts";
import { explainCommand } from "./explain-command.ts";
import { report } from "./failure.ts";
import { optionDescription, takeOldNames, takeVariables } from "./input/flags.ts";
import { keysCommand } from "./keys-command.ts";
import { labelCommand } from "./label-command.ts";
import { mcpCommand } from "./mcp-command.ts";
import { modelsCommand } from "./models-command.ts";
import { columnsOf, notice } from "./output/screen.ts";
import { escapeControls } from "./output/terminal-text.ts";
import { playgroundCommand } from "./playground-command.ts";
import { runCommand, workerCommand } from "./run-command.ts";
import { serveCommand } from "./serve-command.ts";
import { calibrateCommand, teachCommand } from "./teach-command.ts";

/**
 * Runs one command, and sets the exit code. What fails is written to standard error. Nothing is left open, and several may run at once in one process.
 * @param args what was typed after `umpire`
 * @param createDecider for commands that answer. Default: each command loads its model
 */
export async function main(args: readonly string[], io: Io, dist: URL, createDecider?: CreateDecider): Promise<void> {
  try {
    await (await programFor(io, dist, createDecider)).parseAsync(args, { from: "user" });
  } catch (error) {
    io.exitCode = report(io, error);
  }
}

async function programFor(io: Io, dist: URL, given: CreateDecider | undefined): Promise<Command> {
  const { version } = JSON.parse(await readFile(new URL("../package.json", dist), "utf8")) as { version: string };
  const platform = nodePlatform(dist, undefined, io.env);
  const createDecider = given ?? ((options) => createDeciderOn(platform, options));
  const program = new Command("umpire")
    .description("Makes the call, on your machine: answers structured questions about a text with calibrated probabilities.")
    .version(version, "-V, --version", "print the version")
    .addCommand(decideCommand(io, createDecider))
    .addCommand(explainCommand(io, createDecider))
    .addCommand(playgroundCommand(io, platform, dist))
    .addCommand(doctorCommand(io, platform, dist))
    .addCommand(runCommand(io, platform, createDecider))
    .addCommand(workerCommand(io, platform, createDecider))
    .addCommand(evalCommand(io, createDecider))
    .addCommand(labelCommand(io, createDecider, dist))
    .addCommand(teachCommand(io, createDecider))
    .addCommand(calibrateCommand(io, createDecider))
    .addCommand(checkCommand(io, createDecider))
    .addCommand(modelsCommand(io, platform, dist))
    .addCommand(serveCommand(io, platform, createDecider))
    .addCommand(agreementCommand(io))
    .addCommand(mcpCommand(io, createDecider))
    .addCommand(keysCommand(io))
    .addCommand(creditsCommand(io))
    .hook("preAction", (_, command) => {
      takeVariables(command, io.env);
      for (const note of takeOldNames(command)) notice(io, note);
    });
  configure(program, io);
  return program;
}

/** Applies to a command and its subcommands. */
function configure(command: Command, io: Io): void {
  const { stdout, stderr } = io;
  command
    .helpOption("-h, --help", "print help")
    .configureHelp({ optionDescription })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      getOutHelpWidth: () => columnsOf(stdout),
      getErrHelpWidth: () => columnsOf(stderr),
      // The parser's messages quote what was typed.
      outputError: (text, write) => {
        write(escapeControls(text.replace(/^error: /u, "umpire: ")));
      },
    });
  if (command.commands.length > 0) command.helpCommand("help [command]", "print help for a command");
  for (const child of command.commands) configure(child, io);
}
