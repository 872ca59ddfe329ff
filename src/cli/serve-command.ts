import { Command, Option } from "commander";
import { createDeciderOn } from "../decider/create-decider.ts";
import type { DeciderOptions } from "../decider/decider.ts";
import type { Prices } from "../http/billing/credits.ts";
import type { Platform } from "../platform/platform.ts";
import type { LogLevel } from "../serve/watching/logger.ts";
import { BadInput } from "./bad-input.ts";
import { runServer } from "./run-server.ts";
import type { ServerSettings } from "./run-server.ts";
import { addLimitFlags, countFrom, limitsFrom, msFrom, originFrom, portOption, priceFrom, tlsFrom } from "./serve-flags.ts";

interface Flags extends Pick<DeciderOptions, "model" | "precision" | "threads"> {
  readonly host?: string;
  readonly port?: number;
  readonly basePath?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly keys?: string;
  readonly credits?: string;
  readonly price?: Prices;
  readonly corsOrigin?: readonly string[] | "*";
  readonly maxConnections?: number;
  readonly shutdownDelayMs?: number;
  readonly shutdownMs?: number;
  readonly logLevel: LogLevel;
  readonly metrics: boolean;
  readonly metricsByKey?: true;
}

const EXAMPLES = `
Who may ask: the keys of --keys, a file that "umpire keys" writes and that is
followed while the server runs; or one key, in the environment variable
UMPIRE_API_KEY. Without either everybody may.

SIGTERM and SIGINT stop the server once what runs is finished; a second one at
once. Exit codes: 0 stopped, 1 failed or requests were dropped, 2 bad input.

Examples:
  $ umpire serve
  $ umpire keys add app --file keys.json && umpire serve --keys keys.json
  $ umpire serve --keys keys.json --credits credits.db --price 0.1/0.4
  $ umpire serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
`;

/** `umpire serve`: decisions over HTTP. */
export function serveCommand(platform: Platform): Command {
  const command = new Command("serve")
    .description("answer requests over HTTP, as the hosted API does")
    .addOption(new Option("--host <address>", "address to listen on; 0.0.0.0 or :: for all (default: 127.0.0.1)").env("UMPIRE_HOST"))
    .addOption(portOption())
    .option("--base-path <path>", "path under which everything is served, such as /ai")
    .option("--tls-cert <file>", "certificate chain (PEM): speak HTTPS")
    .option("--tls-key <file>", "its private key (PEM)")
    .addOption(new Option("--keys <file>", "key file: who may ask").env("UMPIRE_KEYS"))
    .addOption(new Option("--credits <place>", "where balances are: a file, or a redis:// URL").env("UMPIRE_CREDITS"))
    .addOption(
      new Option("--price <price>", "credits for a million tokens, <in>/<out> or <model>=<in>/<out>; may be repeated")
        .env("UMPIRE_PRICE")
        .argParser(priceFrom),
    )
    .option("--cors-origin <origin>", "origin whose pages may ask, * for all; may be repeated", originFrom)
    .option("-m, --model <model>", "the model's id or folder, where a request names none (default: latest)")
    .addOption(
      new Option("--precision <precision>", "arithmetic: int8, or fp32, slower and exact (default: int8)").choices(["int8", "fp32"]),
    )
    .option("--threads <number>", "threads inside the model, 1 to 64", countFrom);
  return addLimitFlags(command)
    .option("--max-connections <number>", "connections open at one time (default: 10000)", countFrom)
    .option("--shutdown-delay-ms <ms>", "how long a stopping server goes on accepting, with /readyz at 503 (default: 0)", msFrom)
    .option("--shutdown-ms <ms>", "how long it then lets requests finish (default: 10000)", msFrom)
    .addOption(
      new Option("--log-level <level>", "the least that is logged").choices(["debug", "info", "warn", "error", "silent"]).default("info"),
    )
    .option("--no-metrics", "do not serve /metrics")
    .option("--metrics-by-key", "count by the key's name as well")
    .addHelpText("after", EXAMPLES)
    .action(async (flags: Flags) => {
      const settings = await settingsFrom(flags, process.env);
      const { model, precision, threads } = flags;
      process.exitCode = await runServer(createDeciderOn(platform, { model, precision, threads }), settings);
    });
}

async function settingsFrom(flags: Flags, env: NodeJS.ProcessEnv): Promise<ServerSettings> {
  const {
    host,
    port,
    basePath,
    keys,
    credits,
    price,
    corsOrigin,
    maxConnections,
    shutdownDelayMs,
    shutdownMs,
    logLevel,
    metrics,
    metricsByKey,
  } = flags;
  // A variable that is set but empty was meant to be something: to serve everybody then would be the worst guess.
  for (const [name, value] of Object.entries({ "--keys": keys, "--credits": credits, UMPIRE_API_KEY: env["UMPIRE_API_KEY"] }))
    if (value === "") throw new BadInput(`${name} is empty. Give it a value, or leave it out.`);
  const secret = env["UMPIRE_API_KEY"];
  if (keys !== undefined && secret !== undefined)
    throw new BadInput("There are keys in a file and a key in UMPIRE_API_KEY. Use one or the other.");
  if (credits !== undefined && keys === undefined && secret === undefined)
    throw new BadInput("Credits belong to keys. Give --keys, or set UMPIRE_API_KEY.");
  if ((credits === undefined) !== (price === undefined))
    throw new BadInput("Credits need both a place and prices: --credits credits.db --price 0.1/0.4, for example.");
  return {
    logLevel,
    secret,
    charging: credits === undefined || price === undefined ? undefined : { place: credits, prices: price },
    serve: {
      host,
      port,
      basePath,
      tls: await tlsFrom(flags.tlsCert, flags.tlsKey),
      keyFile: keys,
      corsOrigins: corsOrigin,
      limits: limitsFrom({ ...flags }),
      connections: { ...(maxConnections !== undefined && { count: maxConnections }) },
      shutdownDelayMs,
      shutdownMs,
      metrics,
      metricsByKey,
    },
  };
}
