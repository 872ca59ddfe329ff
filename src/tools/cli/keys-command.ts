import { Command, InvalidArgumentError } from "commander";
import { isExpired, type ApiKey } from "../../service/auth/keys.ts";
import { addKey, readKeyFile, revokeKey, warningOf } from "../../service/node/keys/key-file.ts";
import { badInput } from "../tool-error.ts";
import { withSource } from "./failure.ts";
import { countFrom, FlagOrVariable, instantMs } from "./input/flags.ts";
import type { Io } from "./io.ts";
import { addOutputFlags, writeResult, type OutputFlags, type Screen } from "./output/screen.ts";
import { fit, widthOf, wrap } from "./output/terminal-text.ts";

interface FileFlag {
  readonly file?: string;
}

interface AddFlags extends FileFlag, Pick<ApiKey, "models" | "requestsPerMinute"> {
  readonly expires?: string;
  readonly free?: true;
}

const MS_PER_DAY = 86_400_000;

const EXAMPLES = `
The key file holds names, limits and the SHA-256 of each secret, never a secret.
"umpire serve --keys <file>" follows the file while it runs: a key added or
revoked here takes effect there within a second, without a restart.

Examples:
  $ umpire keys add mobile-app --file keys.json
  $ SECRET=$(umpire keys add partner --file keys.json --expires 30d)
  $ umpire keys list --file keys.json
  $ umpire keys revoke partner --file keys.json
`;

export function keysCommand(io: Io): Command {
  return new Command("keys")
    .description("add, list and revoke a server's keys")
    .addCommand(addCommand(io))
    .addCommand(listCommand(io))
    .addCommand(revokeCommand(io))
    .addHelpText("after", EXAMPLES);
}

function addCommand(io: Io): Command {
  return new Command("add")
    .description("create a key and print its secret, once, on standard output")
    .argument("<name>", "1 to 64 letters, digits, dots, underscores or hyphens")
    .addOption(fileOption("the key file, created if it does not exist"))
    .option("--expires <when>", "a day (2027-01-31: its start in UTC), a time (2027-01-31T18:00:00Z) or days (30d)", instantFrom)
    .option("--models <ids>", 'the only models that it may use: "a,b" (default: all)', idsFrom)
    .option("--requests-per-minute <number>", "its rate limit (default: the server's)", countFrom)
    .option("--free", "its calls cost no credits")
    .action(async (name: string, { file, expires, models, requestsPerMinute, free }: AddFlags) => {
      const path = fileFrom(file);
      const key = { name, expiresAt: expires, models, requestsPerMinute, paysCredits: free === true ? false : undefined };
      const { secret } = await withSource("The key", addKey(path, key));
      io.stdout.write(`${secret}\n`);
      io.stderr.write(`The key ${name} is in ${path}. Its secret is shown only this once: the file has only its SHA-256.\n`);
    });
}

function listCommand(io: Io): Command {
  const command = new Command("list").description("list the keys, without anything secret").addOption(fileOption("the key file"));
  return addOutputFlags(command).action(async ({ file, ...flags }: FileFlag & OutputFlags) => {
    const path = fileFrom(file);
    const keys = await withSource(path, readKeyFile(path));
    const warning = await warningOf(path);
    if (warning !== undefined) io.stderr.write(`${warning}\n`);
    const nowMs = Date.now();
    const listed = keys.map(({ sha256: _, ...key }) => ({ ...key, expired: isExpired(key, nowMs) }));
    writeResult(io, flags, { keys: listed }, (screen) => showKeys(keys, nowMs, screen));
  });
}

function revokeCommand(io: Io): Command {
  return new Command("revoke")
    .description("remove a key, so that servers refuse it")
    .argument("<name>", "the key's name")
    .addOption(fileOption("the key file"))
    .action(async (name: string, { file }: FileFlag) => {
      const path = fileFrom(file);
      await withSource(path, revokeKey(path, name));
      io.stderr.write(`The key ${name} is revoked: it is no longer in ${path}.\n`);
    });
}

function fileOption(description: string): FlagOrVariable {
  return new FlagOrVariable("-f, --file <file>", "UMPIRE_KEYS", description);
}

/** There is no default name: a key in a file that no server reads would be refused, and nobody would know why. */
function fileFrom(file: string | undefined): string {
  if (file === undefined || file === "") throw badInput("Which key file? Give --file, or set UMPIRE_KEYS.");
  return file;
}

/** A value of `--expires`, in any of its forms, as ISO 8601 in UTC. */
function instantFrom(text: string): string {
  const [, days] = /^(\d{1,5})d$/u.exec(text) ?? [];
  const ms = days === undefined ? instantMs(text) : Date.now() + Number(days) * MS_PER_DAY;
  if (Number.isNaN(ms))
    throw new InvalidArgumentError("It must be a day like 2027-01-31, a time like 2027-01-31T18:00:00Z, or a number of days like 30d.");
  if (ms <= Date.now()) throw new InvalidArgumentError("It must be in the future.");
  return new Date(ms).toISOString();
}

function idsFrom(text: string): string[] {
  const ids = text.split(",").map((id) => id.trim());
  if (ids.includes("")) throw new InvalidArgumentError("It must be model ids with commas between them.");
  return ids;
}

/** The least room for a key's facts beside its name. A name that leaves less gets a line of its own. */
const MIN_FACT_CELLS = 30;
const GAP = "  ";

/** A table of keys for people: names on the left, limits on the right. Shows nothing secret, and no hashes. */
export function showKeys(keys: readonly ApiKey[], nowMs: number, screen: Screen): string {
  if (keys.length === 0) return "There are no keys.\n";
  const longest = Math.max(...keys.map(({ name }) => widthOf(name)));
  const nameCells = Math.min(longest, screen.width - MIN_FACT_CELLS - GAP.length);
  return `${keys.flatMap((key) => showKey(key, nowMs, nameCells, screen)).join("\n")}\n`;
}

function showKey(key: ApiKey, nowMs: number, nameCells: number, { width, paint }: Screen): string[] {
  const facts = wrap(factsOf(key, nowMs).join(" · "), width - nameCells - GAP.length);
  const title = (name: string): string => paint(isExpired(key, nowMs) ? "red" : "bold", name);
  const below = facts.map((line) => `${" ".repeat(nameCells)}${GAP}${line}`);
  if (widthOf(key.name) > nameCells) return [title(key.name), ...below];
  return [`${title(fit(key.name, nameCells))}${GAP}${facts[0]}`, ...below.slice(1)];
}

function factsOf(key: ApiKey, nowMs: number): string[] {
  const { expiresAt, models, requestsPerMinute, paysCredits, createdAt } = key;
  // For example 2027-01-31 18:00.
  const minute = expiresAt && new Date(expiresAt).toISOString().slice(0, 16).replace("T", " ");
  return [
    minute === undefined ? "never expires" : `${isExpired(key, nowMs) ? "expired" : "expires"} ${minute} UTC`,
    models === undefined ? "all models" : models.join(", "),
    ...(requestsPerMinute === undefined ? [] : [`${requestsPerMinute} requests a minute`]),
    ...(paysCredits === false ? ["free"] : []),
    ...(createdAt === undefined ? [] : [`created ${createdAt.slice(0, 10)}`]),
  ];
}
