import { readFile } from "node:fs/promises";
import { InvalidArgumentError } from "commander";
import type { Command, Option } from "commander";
import type { Price } from "../../../service/billing/credits.ts";
import { AN_ORIGIN } from "../../../service/handler/cors.ts";
import { DEFAULT_LIMITS } from "../../../service/handler/limits.ts";
import type { ServiceLimits } from "../../../service/handler/limits.ts";
import { A_HOST_NAME } from "../../../service/node/serve-options.ts";
import type { TlsFiles } from "../../../service/node/serve-options.ts";
import { badInput } from "../../tool-error.ts";
import { countFrom, FlagOrVariable, portFrom } from "./flags.ts";

/** For each limit: its flag, its name in the library, and its description. */
const LIMITS = [
  ["max-body-bytes", "bodyBytes", "size of a request's body"],
  ["max-input-tokens", "inputTokens", "input tokens in one request"],
  ["requests-per-minute", "requestsPerMinute", "requests per minute for each key"],
  ["max-waiting", "waitingRequests", "requests waiting for their turn"],
  ["deadline-ms", "deadlineMs", "time a request may be predicted to take"],
  ["run-ms", "runMs", "time one request may run"],
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

export function portOption(): Option {
  const description = "port to listen on; 0 takes any free port (default: 8780)";
  return new FlagOrVariable("-p, --port <number>", "UMPIRE_PORT", description).argParser(portFrom);
}

/** Reads `--price`: `0.1/0.4` for every model, `umpire-2=0.1/0.4` for one. The numbers are credits for a million tokens, input and output. */
export function priceFrom(text: string, before: { readonly [model: string]: Price } = {}): { readonly [model: string]: Price } {
  const [, model = "*", input, output] = /^(?:([^=]+)=)?(\d+(?:\.\d{1,3})?)\/(\d+(?:\.\d{1,3})?)$/u.exec(text) ?? [];
  if (input === undefined || output === undefined) {
    throw new InvalidArgumentError(
      "It must be <in>/<out> or <model>=<in>/<out>: credits for a million tokens, with at most three decimals.",
    );
  }
  if (Object.hasOwn(before, model)) throw new InvalidArgumentError("There are two prices for the same model.");
  return { ...before, [model]: { inputPerMillion: Number(input), outputPerMillion: Number(output) } };
}

export function originFrom(text: string, before: readonly string[] | "*" = []): readonly string[] | "*" {
  if (text === "*" || before === "*") return "*";
  if (!AN_ORIGIN.isKept(text)) throw new InvalidArgumentError(`It must be ${AN_ORIGIN.words}, or *.`);
  return [...before, text];
}

export function hostNameFrom(text: string, before: readonly string[] = []): readonly string[] {
  if (!A_HOST_NAME.isKept(text)) throw new InvalidArgumentError(`It must be ${A_HOST_NAME.words}.`);
  return [...before, text];
}

/** @throws {ToolError} if only one of the two is given, or if a file cannot be read. */
export async function tlsFrom(certFile: string | undefined, keyFile: string | undefined): Promise<TlsFiles | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) throw badInput("TLS needs both --tls-cert and --tls-key.");
  const [certPem, keyPem] = await Promise.all([readPem("--tls-cert", certFile), readPem("--tls-key", keyFile)]);
  return { certPem, keyPem };
}

async function readPem(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw badInput(`The file of ${flag} cannot be read: the system reports ${(error as NodeJS.ErrnoException).code}.`);
  }
}
