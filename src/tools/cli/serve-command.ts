import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Price, Prices } from "../../service/billing/credits.ts";
import { MODEL_ALIASES, type Aliases } from "../../library/decider/catalogue.ts";
import type { Decider } from "../../library/decider/decider.ts";
import type { Platform } from "../../library/platform/platform.ts";
import { isPlain, shapeOf } from "../../library/validation/field.ts";
import { A_HOST_NAME, AN_UPSTREAM, DEFAULT_MAX_DISAGREEMENT, DEFAULT_STORE, LOG_LEVELS } from "../../service/node/serve-options.ts";
import type { LogLevel, ServeOptions, TlsFiles, UpstreamOptions } from "../../service/node/serve-options.ts";
import { badInput } from "../tool-error.ts";
import type { CreateDecider, Io } from "./io.ts";
import { addModelFlags, bytesFrom, countFrom, errorRateFrom, FlagOrVariable, lessonFolderFlag, msFrom, portFrom } from "./input/flags.ts";
import type { ModelFlags } from "./input/flags.ts";
import { LOG_FORMATS, runServer, type LogFormat, type ServeCommandSettings } from "./run-server.ts";
import { thisMachine, workersFor } from "./serve-workers.ts";
import { AN_ORIGIN } from "../../service/handler/cors.ts";
import { DEFAULT_LIMITS, type ServiceLimits } from "../../service/handler/limits.ts";

/** Flags that are called as the server's options. */
type SameFlags = "host" | "port" | "basePath" | "lessons" | "shutdownDelayMs" | "shutdownMs" | "metrics" | "metricsByKey";

interface Flags extends ModelFlags, Pick<ServeOptions, SameFlags> {
  readonly alias?: Aliases;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly keys?: string;
  readonly credits?: string;
  readonly price?: Prices;
  readonly corsOrigin?: readonly string[] | "*";
  readonly hostName?: readonly string[];
  readonly cacheBytes: number;
  readonly workers?: number;
  readonly maxConnections?: number;
  readonly logLevel: LogLevel;
  readonly logFormat?: LogFormat;
  readonly upstream?: string;
  readonly upstreamStore?: string;
  readonly switch?: true;
  readonly maxDisagreement?: number;
  readonly fallback?: "local";
}

const EXAMPLES = `
Who may use it: the keys in the file of --keys, which "umpire keys" writes and
the server follows while it runs; or one key, whose secret is in the environment
variable UMPIRE_API_KEY. Without either, anyone who calls this server localhost,
by an IP address, or by a name of --host-name. If the environment variable
UMPIRE_METRICS_SECRET is set, /metrics needs it as a bearer token.

Each worker has a model of its own in memory (some 60 MB of umpire-2, 200 MB of
umpire-3-base) and one thread, unless --threads says more: together they answer
more requests than one worker with as many threads. A single request is answered
sooner with --workers 1.

With --upstream, a hosted API answers, each caller with a key of their own, and
this server learns from its answers, question by question. With --switch it
answers a question itself once so few of its answers differ. "umpire agreement"
shows how far that is.

SIGTERM or SIGINT stops the server once running requests are finished; a second
one stops it at once. Exit codes: 0 stopped, 1 failed or requests were dropped,
2 bad input.

Examples:
  $ umpire serve
  $ umpire keys add app --file keys.json && umpire serve --keys keys.json
  $ umpire serve --keys keys.json --lessons lessons
  $ umpire serve --keys keys.json --credits credits.db --price 0.1/0.4
  $ umpire serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  $ umpire serve --upstream https://api.openai.com --switch
`;

export function serveCommand(io: Io, platform: Platform, createDecider: CreateDecider): Command {
  const command = new Command("serve")
    .description("answer requests over HTTP, like the hosted API")
    .addOption(new FlagOrVariable("--host <address>", "UMPIRE_HOST", "address to listen on; 0.0.0.0 or :: for all (default: 127.0.0.1)"))
    .addOption(new FlagOrVariable("-p, --port <number>", "UMPIRE_PORT", "port to listen on; 0 takes any (default: 8780)", portFrom))
    .option("--alias <name=model>", "another name for a model, like gpt-6-luna=latest; may be repeated", aliasFrom)
    .option("--base-path <path>", "path under which everything is served, like /ai")
    .option("--tls-cert <file>", "certificate chain (PEM), to serve HTTPS")
    .option("--tls-key <file>", "its private key (PEM)")
    .addOption(new FlagOrVariable("--keys <file>", "UMPIRE_KEYS", "key file with the keys that are accepted"))
    .addOption(lessonFolderFlag())
    .addOption(new FlagOrVariable("--credits <place>", "UMPIRE_CREDITS", "where the credits are kept: a file, or a redis:// URL"))
    .addOption(
      new FlagOrVariable(
        "--price <price>",
        "UMPIRE_PRICE",
        "credits for a million tokens, <in>/<out> or <model>=<in>/<out>; may be repeated",
        priceFrom,
      ),
    )
    .option("--cors-origin <origin>", "origin whose pages may call the server, * for all; may be repeated", originFrom)
    .option("--host-name <name>", "name by which clients call this server, needed if there are no keys; may be repeated", hostNameFrom);
  return addLimitFlags(addModelFlags(command, "that latest means; a request without a model is refused"))
    .addOption(
      new FlagOrVariable("--workers <number>", "UMPIRE_WORKERS", "requests at a time (default: one a processor, 4 at most)", countFrom),
    )
    .addOption(
      // How long an answer takes would tell one client whether another one has just asked about the same text.
      new Option("--cache-bytes <number>", "bytes of texts that stay read for later requests; for clients who trust each other")
        .argParser(bytesFrom)
        .default(0),
    )
    .option("--max-connections <number>", "open connections (default: 10000, or what the limit of open files leaves)", countFrom)
    .option("--shutdown-delay-ms <ms>", "time a stopping server goes on accepting requests, with /readyz at 503 (default: 0)", msFrom)
    .option("--shutdown-ms <ms>", "time it then gives running requests to finish (default: 10000)", msFrom)
    .addOption(new Option("--log-level <level>", "lowest level that is logged").choices(LOG_LEVELS).default("info"))
    .addOption(new Option("--log-format <format>", "as JSON, or pretty for people (default: pretty in a terminal)").choices(LOG_FORMATS))
    .option("--no-metrics", "do not serve /metrics")
    .option("--metrics-by-key", "count by key as well; needs UMPIRE_METRICS_SECRET")
    .addOption(new FlagOrVariable("--upstream <url>", "UMPIRE_UPSTREAM", "hosted API that answers, like https://api.openai.com"))
    .addOption(
      new FlagOrVariable("--upstream-store <file>", "UMPIRE_UPSTREAM_STORE", `file of what is observed (default: ${DEFAULT_STORE})`),
    )
    .option("--switch", "answer a question here once so few answers differ from the hosted API's")
    .option("--max-disagreement <share>", `share of these that may differ (default: ${DEFAULT_MAX_DISAGREEMENT})`, errorRateFrom)
    .addOption(new Option("--fallback <who>", "local: answer here what the hosted API fails to answer").choices(["local"]))
    .addHelpText("after", EXAMPLES)
    .action(async (flags: Flags) => {
      const settings = await settingsFrom(io, flags);
      const { device, model, precision, threads, cacheBytes } = flags;
      const shares = workersFor({ workers: flags.workers, threads }, await thisMachine(platform, model));
      const decider = createDecider({ device, model, aliases: flags.alias, precision, cacheBytes, ...shares });
      await checkAliases(flags.alias, decider);
      io.exitCode = await runServer(io, decider, settings);
    });
}

function aliasFrom(text: string, before: Aliases = {}): Aliases {
  const [, name, model] = /^([^=]+)=(.+)$/su.exec(text) ?? [];
  if (name === undefined || model === undefined) throw new InvalidArgumentError("It must be <name>=<model>, such as gpt-6-luna=latest.");
  return { ...before, [name]: model };
}

/** A slip in a model's name is told at once, not to the first client. */
async function checkAliases(aliases: Aliases = {}, decider: Pick<Decider, "models" | "close">): Promise<void> {
  if (Object.keys(aliases).length === 0) return;
  const known = [...(await decider.models()).map(({ id }) => id), ...MODEL_ALIASES];
  const wrong = Object.values(aliases).find((id) => !known.includes(id));
  if (wrong === undefined) return;
  await decider.close();
  throw badInput(
    `--alias names the model ${isPlain(wrong) ? `"${wrong}"` : shapeOf(wrong)}, which there is not. There are: ${known.join(", ")}.`,
  );
}

async function settingsFrom({ stdout, env }: Io, flags: Flags): Promise<ServeCommandSettings> {
  const { keys, lessons, credits, price, metricsByKey, maxConnections, logLevel } = flags;
  const { logFormat = stdout.isTTY === true ? "pretty" : "json" } = flags;
  // A value that is given but empty is a mistake. To accept everyone because of it would be the worst guess.
  const { UMPIRE_API_KEY: secret, UMPIRE_METRICS_SECRET: metricsSecret } = env;
  for (const [name, value] of Object.entries({
    "--keys": keys,
    "--lessons": lessons,
    "--credits": credits,
    UMPIRE_API_KEY: secret,
    UMPIRE_METRICS_SECRET: metricsSecret,
  }))
    if (value === "") throw badInput(`${name} is empty. Give it a value, or leave it out.`);
  if (metricsByKey && metricsSecret === undefined)
    throw badInput("--metrics-by-key shows the names of the keys. Set UMPIRE_METRICS_SECRET, the token that /metrics then needs.");
  if (keys !== undefined && secret !== undefined)
    throw badInput("There are keys in a file and a key in UMPIRE_API_KEY. Use one or the other.");
  if (credits !== undefined && keys === undefined && secret === undefined)
    throw badInput("Credits need keys, to know who pays. Give --keys, or set UMPIRE_API_KEY.");
  if ((credits === undefined) !== (price === undefined))
    throw badInput("Credits need both a place and prices, for example: --credits credits.db --price 0.1/0.4");
  const upstream = upstreamFrom(flags, secret);
  return {
    logLevel,
    logFormat,
    secret,
    charging: credits === undefined || price === undefined ? undefined : { place: credits, prices: price },
    serve: {
      host: flags.host,
      port: flags.port,
      basePath: flags.basePath,
      tls: await tlsFrom(flags.tlsCert, flags.tlsKey),
      keyFile: keys,
      lessons,
      corsOrigins: flags.corsOrigin,
      hostNames: flags.hostName,
      limits: limitsFrom({ ...flags }),
      connections: { ...(maxConnections !== undefined && { count: maxConnections }) },
      shutdownDelayMs: flags.shutdownDelayMs,
      shutdownMs: flags.shutdownMs,
      metrics: flags.metrics,
      metricsSecret,
      metricsByKey,
      upstream,
    },
  };
}

/** @throws {ToolError} for an address that is none, and for flags that do not go together. */
function upstreamFrom(flags: Flags, secret: string | undefined): UpstreamOptions | undefined {
  const { upstream: url, upstreamStore: store, switch: switches, maxDisagreement, fallback, keys, credits, lessons } = flags;
  if (url === undefined) {
    const alone = Object.entries({
      "--switch": switches,
      "--max-disagreement": maxDisagreement,
      "--fallback": fallback,
      "--upstream-store": store,
    });
    const [given] = alone.find(([, value]) => value !== undefined) ?? [];
    if (given !== undefined) throw badInput(`${given} needs --upstream, the hosted API that it is about.`);
    return undefined;
  }
  if (keys !== undefined || secret !== undefined || credits !== undefined)
    throw badInput("With --upstream, keys and credits are the hosted API's: leave out --keys, UMPIRE_API_KEY and --credits.");
  if (lessons !== undefined) throw badInput("With --upstream, lessons come from the hosted API's answers: leave out --lessons.");
  if (!AN_UPSTREAM.isKept(url)) throw badInput(`--upstream must be ${AN_UPSTREAM.words}.`);
  if (store === "") throw badInput("--upstream-store is empty. Give it a value, or leave it out.");
  return { url, store, switch: switches, maxDisagreement, fallback };
}

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
  const given = LIMITS.map(([flag, name]) => [name, flags[new Option(`--${flag}`).attributeName()]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
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
async function tlsFrom(certFile: string | undefined, keyFile: string | undefined): Promise<TlsFiles | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined) throw badInput("TLS needs both --tls-cert and --tls-key.");
  // In turn: of two files that cannot be read, the message names the first.
  return { certPem: await readPem("--tls-cert", certFile), keyPem: await readPem("--tls-key", keyFile) };
}

async function readPem(flag: string, file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw badInput(`The file of ${flag} cannot be read: the system reports ${(error as NodeJS.ErrnoException).code}.`);
  }
}
