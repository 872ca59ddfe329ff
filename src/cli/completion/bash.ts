import { withDescendants } from "./completable.ts";
import type { Completable, CompletableOption, Values } from "./completable.ts";

/** A script for bash 3.2 or newer, which macOS has. It needs no bash-completion. */
export function bashScript(program: Completable): string {
  const all = withDescendants(program);
  const { name } = program;
  return `# Completes ${name} in bash. Put this line into ~/.bashrc:  eval "$(${name} completion bash)"

# Adds what the compgen call prints, a line each, to the suggestions.
_${name}_suggest() {
  local line
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$@" -- "$current")
}
_${name}_files() {
  # Adds / to folders, and escapes spaces. Bash 3.2 has no compopt.
  compopt -o filenames 2>/dev/null
  _${name}_suggest "$1"
}

_${name}() {
  COMPREPLY=()
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" at="${name}" i
  # Bash takes the = of --option=value as a word.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous="\${COMP_WORDS[COMP_CWORD - 2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${patterns(all.slice(1).map(({ path }) => path))}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $previous" in
${all.flatMap(({ path, options }) => options.flatMap((option) => valueCase(name, path, option))).join("\n")}
  esac
  case "$at" in
${all.map((command) => commandCase(name, command)).join("\n")}
  esac
}
complete -F _${name} ${name}
`;
}

function valueCase(program: string, path: string, { names, values }: CompletableOption): string[] {
  if (values === undefined) return [];
  const suggested = suggestion(program, values);
  return [`    ${patterns(names.map((name) => `${path} ${name}`))}) ${suggested}return ;;`];
}

function commandCase(program: string, { path, commands, options, arguments: values }: Completable): string {
  const flags = options.flatMap(({ names }) => names);
  const words = [...commands.map(({ name }) => name), ...values.flatMap((value) => (value.kind === "choices" ? value.choices : []))];
  const places = [...new Set(values.filter(({ kind }) => kind !== "choices").map((value) => suggestion(program, value)))].join("");
  const plain = words.length === 0 ? places : `_${program}_suggest -W ${quoted(words.join(" "))}; ${places}`;
  return `    ${patterns([path])}) if [[ $current == -* ]]; then _${program}_suggest -W ${quoted(flags.join(" "))}; else ${plain || ":; "}fi ;;`;
}

/** A command that ends with a semicolon, or nothing. */
function suggestion(program: string, values: Values): string {
  switch (values.kind) {
    case "choices":
      return `_${program}_suggest -W ${quoted(values.choices.join(" "))}; `;
    case "file":
      return `_${program}_files -f; `;
    case "folder":
      return `_${program}_files -d; `;
    case "text":
      return "";
  }
}

function patterns(texts: readonly string[]): string {
  return texts.map(quoted).join(" | ");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
