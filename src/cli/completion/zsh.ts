import { withDescendants } from "./completable.ts";
import type { Completable, CompletableOption, Values } from "./completable.ts";

/** A script for zsh: a function for each command, made of zsh's own _arguments and _describe. */
export function zshScript(program: Completable): string {
  const { name } = program;
  return `#compdef ${name}
# Completes ${name} in zsh. Put this line into ~/.zshrc, after compinit:  eval "$(${name} completion zsh)"

${withDescendants(program).map(functionOf).join("\n\n")}

# Kept in a file of $fpath, this runs at the first completion.
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then ${functionName(program)} "$@"; else compdef ${functionName(program)} ${name}; fi
`;
}

function functionOf(command: Completable): string {
  const { commands, options, arguments: values } = command;
  const specs = options.map(optionSpec);
  if (commands.length === 0) {
    specs.push(...values.map((value, i) => quoted(`${i === values.length - 1 ? "*" : ""}:${escaped(value.kind)}:${actionFor(value)}`)));
    return `${functionName(command)}() {\n  _arguments ${specs.join(" \\\n    ")}\n}`;
  }
  const described = commands.map(({ name, description }) => quoted(`${escaped(name)}:${description}`));
  const cases = commands.map((child) => `        ${quoted(child.name)}) ${functionName(child)} ;;`);
  return `${functionName(command)}() {
  local context state state_descr line
  typeset -A opt_args
  local -a commands
  _arguments -C ${[...specs, quoted("1:command:->command"), quoted("*::argument:->argument")].join(" \\\n    ")}
  case $state in
    command)
      commands=(${described.join(" ")})
      _describe command commands ;;
    argument)
      case $line[1] in
${cases.join("\n")}
      esac ;;
  esac
}`;
}

/** A name or names, what excludes it, its description, and its value. `*`: an option may be given again. */
function optionSpec({ names, description, values }: CompletableOption): string {
  const repeats = values === undefined ? "" : "*";
  const value = values === undefined ? "" : `:${escaped(values.kind)}:${actionFor(values)}`;
  // = and +: the value may also be joined to the name.
  const typed = values === undefined ? names : names.map((name) => (name.startsWith("--") ? `${name}=` : `${name}+`));
  const rest = quoted(`[${escaped(description)}]${value}`);
  if (typed.length === 1) return `${quoted(repeats)}${typed[0] ?? ""}${rest}`;
  const exclusion = repeats === "" ? quoted(`(${names.join(" ")})`) : quoted(repeats);
  return `${exclusion}{${typed.join(",")}}${rest}`;
}

function actionFor(values: Values): string {
  switch (values.kind) {
    case "choices":
      return `(${values.choices.map(escaped).join(" ")})`;
    case "file":
      return "_files";
    case "folder":
      return "_path_files -/";
    case "text":
      return " ";
  }
}

function functionName({ path }: Completable): string {
  return `_${path.replaceAll(/[^a-z]+/gu, "_")}`;
}

/** Colons and brackets end a part of a specification. */
function escaped(text: string): string {
  return text.replaceAll(/[\\:[\]]/gu, "\\$&");
}

function quoted(text: string): string {
  return text === "" ? "" : `'${text.replaceAll("'", `'\\''`)}'`;
}
