import { Argument, Command } from "commander";
import { bashScript } from "./completion/bash.ts";
import type { Completable } from "./completion/completable.ts";
import { completableOf } from "./completion/completable.ts";
import { fishScript } from "./completion/fish.ts";
import { zshScript } from "./completion/zsh.ts";
import type { Io } from "./io.ts";

const SCRIPTS: { readonly [shell: string]: (program: Completable) => string } = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
};

const EXAMPLES = `
Put one of these lines where your shell reads it when it starts:
  ~/.bashrc                    eval "$(umpire completion bash)"
  ~/.zshrc, after compinit     eval "$(umpire completion zsh)"
  ~/.config/fish/config.fish   umpire completion fish | source
`;

/** `umpire completion`: prints a script that completes commands, options, their choices, and files. */
export function completionCommand({ stdout }: Io): Command {
  return new Command("completion")
    .description("print a script that completes commands in your shell")
    .addArgument(new Argument("<shell>", "your shell").choices(Object.keys(SCRIPTS)))
    .addHelpText("after", EXAMPLES)
    .action((shell: string, _flags: unknown, command: Command) => {
      stdout.write(SCRIPTS[shell]?.(completableOf(command.parent ?? command)) ?? "");
    });
}
