import { Help, InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";

/** A flag that a variable of the environment may stand for. The parser's own `env` would read that of the process, not that of the call. */
export class FlagOrVariable extends Option {
  readonly variable: string;

  constructor(flags: string, variable: string, description: string) {
    super(flags, description);
    this.variable = variable;
  }
}

/** What help says of a flag. */
export function optionDescription(option: Option): string {
  const description = new Help().optionDescription(option);
  return option instanceof FlagOrVariable ? `${description} (env: ${option.variable})` : description;
}

/** Takes from the environment what a command's flags leave open. */
export function takeVariables(command: Command, env: NodeJS.ProcessEnv): void {
  for (const option of command.options) {
    if (!(option instanceof FlagOrVariable)) continue;
    const name = option.attributeName();
    const value = env[option.variable];
    if (value === undefined || command.getOptionValue(name) !== undefined) continue;
    command.setOptionValueWithSource(name, parsed(command, option, value), "env");
  }
}

function parsed(command: Command, option: FlagOrVariable, value: string): unknown {
  try {
    return option.parseArg === undefined ? value : option.parseArg<unknown>(value, undefined);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: option '${option.flags}' value '${value}' from env '${option.variable}' is invalid. ${error.message}`);
  }
}
