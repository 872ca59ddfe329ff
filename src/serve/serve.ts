import type { Decider } from "../decider/decider.ts";
import { DecideError } from "../errors.ts";
import type { Prices } from "../http/billing/credits.ts";
import { parsePrices, priceOf } from "../http/billing/prices.ts";
import { createAnswerer } from "../http/answerer.ts";
import type { Served } from "../http/observe.ts";
import { watchKeyFile } from "./keys/watched-keys.ts";
import type { WatchedKeys } from "./keys/watched-keys.ts";
import { SILENT } from "./observability/logger.ts";
import type { Logger } from "./observability/logger.ts";
import { Metrics } from "./observability/metrics.ts";
import { logServed } from "./observability/request-log.ts";
import { DEFAULT_CONNECTION_LIMITS, readServeOptions } from "./serve-options.ts";
import type { ServeOptions } from "./serve-options.ts";
import { createNodeServer } from "./server/node-server.ts";
import { affordableConnections } from "./server/open-files.ts";
import type { RunningServer } from "./server/running-server.ts";
import { Service } from "./server/service.ts";

/**
 * Serves decisions over HTTP: runs the handler of `umpire/http` on a server of its own, and adds `/livez`, `/readyz` and `/metrics`. Resolves when
 * the server is listening; the model may still be loading then.
 * @throws {DecideError} `invalid_request` for invalid options, a model without a price, and a key file that cannot be read.
 * @throws the system's error if the server cannot listen, with a `code` like `EADDRINUSE`.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const settings = readServeOptions(options, affordableConnections());
  const { logger = SILENT, decider, keyFile, tls, basePath = "", credits, limits, corsOrigins } = options;
  if (credits !== undefined) await checkPrices(credits.prices, decider);
  const server = createNodeServer(settings.limits, tls);
  const metrics = options.metrics === false ? undefined : new Metrics(options.metricsByKey ?? false);
  let watched: WatchedKeys | undefined;
  try {
    watched = keyFile === undefined ? undefined : await follow(keyFile, logger, metrics);
    const keys = watched ?? options.keys;
    const onServed = (served: Served): void => {
      logServed(logger, served);
      metrics?.served(served);
      options.onServed?.(served);
    };
    const answerer = createAnswerer({ decider, keys, credits, limits, basePath, corsOrigins, onServed });
    const service = new Service({ server, answerer, decider, logger, metrics, watched, settings, basePath });
    metrics?.read({
      waiting: () => answerer.load.waiting,
      running: () => answerer.load.running,
      workersStarted: () => decider.stats().workersStarted,
      isReady: () => service.ready,
    });
    if (keys === undefined) logger.warn({}, "authentication is off: anyone who can reach this server may use it");
    const { count } = settings.limits;
    if (options.connections?.count === undefined && count < DEFAULT_CONNECTION_LIMITS.count)
      logger.warn({ count }, "fewer connections than usual can be open: the limit of open files is low (ulimit -n)");
    await service.start();
    return service;
  } catch (error) {
    metrics?.close();
    await watched?.close();
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

function follow(keyFile: string, logger: Logger, metrics: Metrics | undefined): Promise<WatchedKeys> {
  return watchKeyFile(keyFile, {
    onError: ({ code, message }) => {
      metrics?.keyFileError();
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
