import type { Decider } from "../../library/decider/decider.ts";
import { DecideError } from "../../errors.ts";
import type { Watcher } from "../../files/watch.ts";
import type { Prices } from "../billing/credits.ts";
import { parsePrices, priceOf } from "../billing/prices.ts";
import { createAnswerer } from "../handler/handler.ts";
import type { FIXED_LIMITS } from "../handler/limits.ts";
import type { Served } from "../handler/observation.ts";
import { watchKeyFile, type WatchedKeys } from "./keys/key-file.ts";
import { watchLessonFolder } from "./lessons/lesson-files.ts";
import { chainOf, logServed, SILENT } from "./observability/logger.ts";
import { Metrics } from "./observability/metrics.ts";
import { DEFAULT_CONNECTION_LIMITS, readServeOptions } from "./serve-options.ts";
import type { FIXED_CONNECTION_LIMITS, Logger, RunningServer, ServeOptions } from "./serve-options.ts";
import { affordableConnections, createNodeServer } from "./server/node-server.ts";
import { startService } from "./server/service.ts";
import type { UpstreamLimits } from "./upstream/ask-upstream.ts";

/** Limits that are no options. Tests give others. */
interface FixedLimits {
  readonly limits?: Partial<typeof FIXED_LIMITS>;
  readonly connections?: Partial<typeof FIXED_CONNECTION_LIMITS>;
  readonly upstream?: Partial<UpstreamLimits>;
}

/**
 * Serves decisions over HTTP: runs the handler of `umpire/http` on a server of its own, and adds `/livez`, `/readyz` and `/metrics`. Resolves when
 * the server is listening; the model may still be loading then, unless there are lessons.
 * @throws {DecideError} `invalid_request` for invalid options, a model without a price, and a key file or a lesson that cannot be used; with lessons those
 *   of loading the model.
 * @throws the system's error if the server cannot listen, with a `code` like `EADDRINUSE`.
 */
export async function serve(options: ServeOptions, /** @internal */ fixed: FixedLimits = {}): Promise<RunningServer> {
  const settings = readServeOptions(options, affordableConnections(), fixed.connections);
  const { logger = SILENT, decider, keyFile, lessons, tls, basePath = "", credits, limits, corsOrigins } = options;
  if (credits !== undefined) await checkPrices(credits.prices, decider);
  const server = createNodeServer(settings.limits, tls);
  const metrics = options.metrics === false ? undefined : new Metrics(options.metricsByKey ?? false);
  const watched: { close(): Promise<void> }[] = [];
  try {
    const watchedKeys = keyFile === undefined ? undefined : await followKeys(keyFile, logger, metrics);
    if (watchedKeys !== undefined) watched.push(watchedKeys);
    if (lessons !== undefined) watched.push(await followLessons(lessons, decider, logger, metrics));
    const keys = watchedKeys ?? options.keys;
    // Loaded for that alone.
    const upstream =
      options.upstream && (await (await import("./upstream/upstream.ts")).openUpstream(options.upstream, decider, logger, fixed.upstream));
    if (upstream !== undefined) watched.push(upstream.observer);
    const onServed = (served: Served): void => {
      logServed(logger, served);
      metrics?.served(served);
      options.onServed?.(served);
    };
    const handlerOptions = { decider, keys, credits, limits, basePath, corsOrigins, onServed };
    const answerer = createAnswerer(handlerOptions, fixed.limits, undefined, upstream?.answer);
    if (upstream !== undefined) metrics?.readUpstream(upstream.observer);
    if (keys === undefined) logger.warn({}, "authentication is off: anyone who can reach this server may use it");
    const { count } = settings.limits;
    if (options.connections?.count === undefined && count < DEFAULT_CONNECTION_LIMITS.count)
      logger.warn({ count }, "fewer connections than usual can be open: the limit of open files is low (ulimit -n)");
    const observer = upstream?.observer;
    return await startService({ server, answerer, decider, logger, metrics, watched, settings, basePath, observer });
  } catch (error) {
    metrics?.close();
    for (const one of watched) await one.close();
    throw error;
  }
}

/** Without this check, a model without a price would be refused only after it has answered. */
async function checkPrices(prices: Prices, decider: Decider): Promise<void> {
  parsePrices(prices);
  const without = (await decider.models()).map(({ id }) => id).filter((id) => priceOf(prices, id) === undefined);
  if (without.length > 0)
    throw new DecideError(
      "invalid_request",
      `There is no price for ${without.join(", ")}. Set a price for each model, or one for all models.`,
    );
}

function followKeys(keyFile: string, logger: Logger, metrics: Metrics | undefined): Promise<WatchedKeys> {
  return watchKeyFile(keyFile, {
    onError: ({ code, message }) => {
      metrics?.keyFileErrors.inc();
      const effect = code === "backend_unavailable" ? "nobody is let in until it can be read" : "the last valid keys stay in use";
      logger.error({ problem: message }, `the key file cannot be followed: ${effect}`);
    },
    onWarning: (message) => {
      logger.warn({ problem: message }, "the key file is not safe");
    },
    onChange: (keys) => {
      logger.info({ keys }, "keys changed");
    },
  });
}

function followLessons(folder: string, decider: Decider, logger: Logger, metrics: Metrics | undefined): Promise<Watcher> {
  return watchLessonFolder(folder, decider, {
    onError: ({ code, message, cause }) => {
      metrics?.lessonErrors.inc();
      // The message says what is wrong with a lesson.
      const because = code === "invalid_request" || cause === undefined ? undefined : chainOf(cause);
      logger.error({ problem: message, cause: because }, "lessons cannot be followed: what was learned stays");
    },
    onChange: (lessons) => {
      logger.info({ lessons }, "lessons changed");
    },
  });
}
