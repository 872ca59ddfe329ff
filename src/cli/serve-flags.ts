import { readFile } from "node:fs/promises";
import { InvalidArgumentError, Option } from "commander";
import type { Command } from "commander";
import type { Price } from "../http/billing/credits.ts";
import { DEFAULT_LIMITS } from "../http/limits.ts";
import type { ServiceLimits } from "../http/limits.ts";
import type { TlsFiles } from "../serve/serve-options.ts";
import { BadInput } from "./bad-input.ts";

/** A limit's flag, its name in the library, and what it is. */
const LIMITS = [
  ["max-body-bytes", "bodyBytes", "size of a request's body"],
  ["max-nesting", "nesting", "how deep a body may nest"],
  ["max-values", "values", "values of a body's arrays and objects"],
  ["max-questions", "questions", "questions of one request"],
  ["max-criteria", "criteria", "options and levels of one request"],
  ["max-input-tokens", "inputTokens", "input tokens of one request"],
  ["requests-per-minute", "requestsPerMinute", "requests of one key a minute"],
  ["max-waiting", "waitingRequests", "requests that may wait for their turn"],
  ["max-waiting-bytes", "waitingBytes", "bodies of those, together"],
  ["deadline-ms", "deadlineMs", "how long a request may take, as far as can be foreseen"],
  ["run-ms", "runMs", "how long one request may run"],
] as const satisfies readonly (readonly [flag: string, name: keyof ServiceLimits, description: string])[];

export function addLimitFlags(command: Command): Command {
  for (const [flag, name, description] of LIMITS) {
    const standard = DEFAULT_LIMITS[name];
    command.option(`--${flag} <number>`, `${description} (default: ${standard === Infinity ? "no limit" : standard})`, countFrom);
  }
  return command;
}

export function limitsFrom(flags: { readonly [flag: string]: unknown }): Partial<ServiceLimits> {
  const given = LIMITS.map(([flag, name]) => [name, flags[camelCase(flag)]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

function camelCase(flag: string): string {
  return flag.replace(/-(.)/gu, (_, letter: string) => letter.toUpperCase());
}

export function countFrom(text: string): number {
  if (!/^[1-9]\d{0,11}$/u.test(text)) throw new InvalidArgumentError("It must be a whole number, 1 or more.");
  return Number(text);
}

export function msFrom(text: string): number {
  if (!/^\d{1,9}$/u.test(text)) throw new InvalidArgumentError("It must be a whole number of milliseconds.");
  return Number(text);
}

export function portOption(): Option {
  return new Option("-p, --port <number>", "port to listen on; 0 takes any that is free (default: 8780)")
    .env("UMPIRE_PORT")
    .argParser((text) => {
      if (!/^\d{1,5}$/u.test(text) || Number(text) > 65_535) throw new InvalidArgumentError("It must be a whole number from 0 to 65535.");
      return Number(text);
    });
}

/** `--price 0.1/0.4` for every model, `--price umpire-2=0.1/0.4` for one: credits for a million tokens read and written. */
export function priceFrom(text: string, before: { readonly [model: string]: Price } = {}): { readonly [model: string]: Price } {
  const [, model = "*", input, output] = /^(?:([^=]+)=)?(\d+(?:\.\d{1,3})?)\/(\d+(?:\.\d{1,3})?)$/u.exec(text) ?? [];
  if (input === undefined || output === undefined) {
    throw new InvalidArgumentError("It must be <in>/<out> or <model>=<in>/<out>: credits for a million tokens, three decimals at most.");
  }
  if (Object.hasOwn(before, model)) throw new InvalidArgumentError("There are two prices for the same.");
  return { ...before, [model]: { inputPerMillion: Number(input), outputPerMillion: Number(output) } };
}

export function originFrom(text: string, before: readonly string[] | "*" = []): readonly string[] | "*" {
  if (text === "*" || before === "*") return "*";
  if (!URL.canParse(text) || new URL(text).origin !== text) {
    throw new InvalidArgumentError("It must be an origin such as https://app.example, without a path, or *.");
  }
  return [...before, text];
}

/** @throws {BadInput} for one without the other, and for files that cannot be read. */
export async function tlsFrom(certFile: string | undefined, keyFile: string | undefined): Promise<TlsFiles | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) throw new BadInput("TLS needs both --tls-cert and --tls-key.");
  const [certPem, keyPem] = await Promise.all([readPem("--tls-cert", certFile), readPem("--tls-key", keyFile)]);
  return { certPem, keyPem };
}

async function readPem(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new BadInput(`The file of ${flag} cannot be read: the system says ${(error as NodeJS.ErrnoException).code}.`);
  }
}
