import { Option } from "commander";
import type { Command } from "commander";
import { BadInput } from "../bad-input.ts";

/**
 * Refuses flags that people try first, and says what they mean. The parser's own suggestions go by spelling, and would not find the one that is meant.
 * @param names flags without their dashes, each with what is meant
 */
export function refuseFlags(command: Command, names: readonly (readonly [name: string, meant: string])[]): void {
  for (const [name, meant] of names) {
    command.addOption(new Option(`--${name} [text]`).hideHelp()).on(`option:${name}`, () => {
      throw new BadInput(`unknown option '--${name}' (did you mean ${meant}?)`);
    });
  }
}
