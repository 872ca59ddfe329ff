import type { Command, Option } from "commander";

/** What may stand in a place of the command line. */
export type Values =
  | { readonly kind: "choices"; readonly choices: readonly string[] }
  /** A file, or only folders. */
  | { readonly kind: "file" | "folder" }
  /** A text that only its author knows. */
  | { readonly kind: "text" };

export interface CompletableOption {
  /** As typed: `--port`, `-p`. */
  readonly names: readonly string[];
  readonly description: string;
  /** Absent for a flag that takes no value. */
  readonly values: Values | undefined;
}

/** A command or the program itself, as a shell must know it to complete its command line. */
export interface Completable {
  /** The words before its options, with the program's name: `umpire keys add`. */
  readonly path: string;
  readonly name: string;
  readonly description: string;
  readonly commands: readonly Completable[];
  readonly options: readonly CompletableOption[];
  readonly arguments: readonly Values[];
}

/** What the parser knows of a command and all that are below it. So a new flag is completed without more ado. */
export function completableOf(command: Command, parents: readonly Command[] = []): Completable {
  const help = command.createHelp();
  const path = [...parents, command].map((one) => one.name());
  const siblings = parents.at(-1)?.commands.map((one) => one.name());
  return {
    path: path.join(" "),
    name: command.name(),
    description: command.description(),
    commands: help.visibleCommands(command).map((child) => completableOf(child, [...parents, command])),
    options: help.visibleOptions(command).map(optionOf),
    arguments: command.registeredArguments.map((argument) =>
      // The argument of "help".
      valuesOf(argument.argChoices ?? (argument.name() === "command" ? siblings : undefined), argument.name()),
    ),
  };
}

/** The command, and all that are below it. */
export function withDescendants(command: Completable): readonly Completable[] {
  return [command, ...command.commands.flatMap(withDescendants)];
}

function optionOf({ short, long, description, flags, argChoices }: Option): CompletableOption {
  const value = /[<[]([^\]>]+)[\]>]/u.exec(flags)?.[1];
  return {
    names: [short, long].filter((name) => name !== undefined),
    description,
    values: value === undefined ? undefined : valuesOf(argChoices, value),
  };
}

/** By the name that help gives a value: `<file>`, `[file...]`. */
function valuesOf(choices: readonly string[] | undefined, name: string): Values {
  if (choices !== undefined) return { kind: "choices", choices };
  switch (name.replace(/\.\.\.$/u, "")) {
    case "file":
    // A file or a URL.
    case "place":
      return { kind: "file" };
    case "folder":
      return { kind: "folder" };
    default:
      return { kind: "text" };
  }
}
