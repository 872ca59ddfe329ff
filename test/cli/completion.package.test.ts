import { spawn, spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { cleanEnv, finished, umpire } from "../support/command-line.ts";
import { tempDir } from "../support/temp-dir.ts";

const SHELLS = ["bash", "zsh", "fish"] as const;
type Shell = (typeof SHELLS)[number];

/** Asks bash what it would suggest: the function that the script registers, called as bash calls it. */
const ASK_BASH = `eval "$SCRIPT"
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); "$(complete -p umpire | sed 's/.*-F \\([^ ]*\\) .*/\\1/')" umpire
((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"`;

const ASK_FISH = `echo $SCRIPT | source; set -l line (string escape -- $argv[1..-2]); complete -C "$line $argv[-1]" | string replace -r '\\t.*' ''`;

const ASK_ZSH = fileURLToPath(new URL("../support/zsh-suggestions.zsh", import.meta.url));

const isThere = (shell: Shell): boolean => spawnSync(shell, ["--version"]).status === 0;
const scripts = new Map<Shell, string>();
const folder = tempDir();

beforeAll(async () => {
  for (const shell of SHELLS) scripts.set(shell, (await umpire(["completion", shell])).stdout);
  await mkdir(join(folder, "a folder"));
  await writeFile(join(folder, "a request.json"), "");
});

/** What a shell suggests for the last of these words, sorted. */
async function suggested(shell: Shell, ...words: readonly string[]): Promise<string[]> {
  const env = cleanEnv({ SCRIPT: scripts.get(shell) ?? "", LINE: words.join(" "), ZSH_SCRIPT: ASK_ZSH, TERM: "dumb", HOME: folder });
  const args = {
    bash: ["--norc", "--noprofile", "-c", ASK_BASH, "bash", ...words],
    zsh: ["-f", ASK_ZSH],
    fish: ["--no-config", "-c", ASK_FISH, ...words],
  }[shell];
  const { stdout, stderr } = await finished(spawn(shell, args, { env, cwd: folder }));
  if (stderr !== "") throw new Error(stderr);
  const hits = shell === "zsh" ? Array.from(stdout.matchAll(/<hit>(.*?)<\/hit>/gu), ([, hit = ""]) => hit) : stdout.trim().split("\n");
  return [...new Set(hits)].filter((hit) => hit !== "").sort();
}

describe.each(SHELLS)("the script for %s", (shell) => {
  test.skipIf(!isThere(shell))("suggests commands, and those of a command", async () => {
    expect(await suggested(shell, "umpire", "de")).toEqual(["decide"]);
    expect(await suggested(shell, "umpire", "")).toEqual(
      expect.arrayContaining(["decide", "doctor", "playground", "serve", "keys", "help"]),
    );
    expect(await suggested(shell, "umpire", "keys", "")).toEqual(["add", "help", "list", "revoke"]);
    expect(await suggested(shell, "umpire", "help", "do")).toEqual(["doctor"]);
  });

  test.skipIf(!isThere(shell))("suggests a command's own options", async () => {
    expect(await suggested(shell, "umpire", "playground", "--")).toEqual(["--help", "--out", "--port"]);
    expect(await suggested(shell, "umpire", "keys", "add", "--ex")).toEqual(["--expires"]);
    expect(await suggested(shell, "umpire", "decide", "--state", "serve", "--cors")).toEqual([]);
  });

  test.skipIf(!isThere(shell))("suggests the choices of an option and of an argument", async () => {
    expect(await suggested(shell, "umpire", "decide", "--precision", "")).toEqual(["fp32", "int8"]);
    expect(await suggested(shell, "umpire", "serve", "--log-level", "d")).toEqual(["debug"]);
    expect(await suggested(shell, "umpire", "completion", "")).toEqual(["bash", "fish", "zsh"]);
  });

  test.skipIf(!isThere(shell))(
    "suggests files where a file belongs, only folders where a folder does, and nothing where it knows nothing",
    async () => {
      const plain = (all: readonly string[]): string[] => all.map((one) => one.replaceAll("\\", "").replace(/\/$/u, ""));
      expect(plain(await suggested(shell, "umpire", "decide", ""))).toEqual(["a folder", "a request.json"]);
      expect(plain(await suggested(shell, "umpire", "serve", "--keys", ""))).toEqual(["a folder", "a request.json"]);
      expect(plain(await suggested(shell, "umpire", "playground", "--out", ""))).toEqual(["a folder"]);
      expect(await suggested(shell, "umpire", "decide", "--threads", "")).toEqual([]);
      // zsh then suggests the options.
      expect((await suggested(shell, "umpire", "doctor", "")).filter((one) => !one.startsWith("-"))).toEqual([]);
    },
  );
});

test("bash completes a value that is joined to its option by =", async () => {
  // Bash takes the = as a word of its own.
  expect(await suggested("bash", "umpire", "decide", "--precision", "=", "fp")).toEqual(["fp32"]);
  expect(await suggested("bash", "umpire", "decide", "--precision", "=")).toEqual(["fp32", "int8"]);
});

test("every command and every option that help lists is suggested", async () => {
  const listed = async (...path: string[]): Promise<{ commands: string[]; options: string[] }> => {
    const { stdout } = await umpire([...path, "--help"]);
    const block = (title: string): string => stdout.split("\n\n").find((text) => text.startsWith(`${title}:\n`)) ?? "";
    return {
      commands: Array.from(block("Commands").matchAll(/^ {2}([a-z]+)/gmu), ([, name = ""]) => name),
      options: Array.from(block("Options").matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gmu), ([, name = ""]) => name),
    };
  };
  const { commands, options } = await listed();
  expect(commands.length).toBeGreaterThan(8);
  expect(await suggested("bash", "umpire", "")).toEqual([...commands].sort());
  expect(await suggested("bash", "umpire", "--")).toEqual([...options].sort());
  for (const command of commands.filter((name) => name !== "help"))
    expect([command, ...(await suggested("bash", "umpire", command, "--"))]).toEqual([command, ...(await listed(command)).options.sort()]);
});
