import { withDescendants } from "./completable.ts";
import type { Completable, CompletableOption, Values } from "./completable.ts";

/** A script for fish: a line for each command, option and argument, each under the condition of its command. */
export function fishScript(program: Completable): string {
  const all = withDescendants(program);
  const { name } = program;
  const lines = all.flatMap((command) => [
    ...command.commands.map((child) => `${at(command)} -a ${quoted(child.name)} -d ${quoted(child.description)}`),
    ...command.options.map((option) => `${at(command)} ${flagsOf(option)} -d ${quoted(option.description)}`),
    ...command.arguments.flatMap((values) => (values.kind === "text" ? [] : [`${at(command)} ${suggestion(values)}`])),
  ]);
  return `# Completes ${name} in fish. Put this line into ~/.config/fish/config.fish:  ${name} completion fish | source

# Whether the words before the cursor lead to this command.
function __${name}_at
    set -l words (commandline -opc)
    set -l path $words[1]
    for word in $words[2..-1]
        if contains -- "$path $word" ${all
          .slice(1)
          .map(({ path }) => quoted(path))
          .join(" ")}
            set path "$path $word"
        end
    end
    test "$path" = "$argv"
end

complete -c ${name} -f
${lines.map((line) => `complete -c ${name} ${line}`).join("\n")}
`;
}

function at({ path }: Completable): string {
  return `-n ${quoted(`__${path.split(" ")[0] ?? ""}_at ${path}`)}`;
}

function flagsOf({ names, values }: CompletableOption): string {
  const flags = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return values === undefined ? flags.join(" ") : `${flags.join(" ")} -r ${suggestion(values)}`;
}

function suggestion(values: Values): string {
  switch (values.kind) {
    case "choices":
      return `-f -a ${quoted(values.choices.join(" "))}`;
    case "file":
      return "-F";
    case "folder":
      return `-f -a ${quoted("(__fish_complete_directories)")}`;
    case "text":
      return "-f";
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/gu, "\\$&")}'`;
}
