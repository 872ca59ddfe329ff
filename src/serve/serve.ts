import type { Decider } from "../decider/decider.ts";
import { DecideError } from "../errors.ts";
import type { Prices } from "../http/billing/credits.ts";
import { createHandler } from "../http/handler.ts";
import type { Served } from "../http/observe.ts";
import { priceOf } from "../http/billing/prices.ts";
import { SILENT } from "./watching/logger.ts";
import type { Logger } from "./watching/logger.ts";
import { Metrics } from "./watching/metrics.ts";
import { createNodeServer } from "./server/node-server.ts";
import { logServed } from "./watching/request-log.ts";
import { withServeDefaults } from "./serve-options.ts";
import type { ServeOptions } from "./serve-options.ts";
import { Service } from "./server/service.ts";
import type { RunningServer } from "./server/running-server.ts";
import { watchKeyFile } from "./keys/watched-keys.ts";
import type { WatchedKeys } from "./keys/watched-keys.ts";

/**
 * Serves decisions over HTTP: the handler of `umpire/http` on a server of its own, with `/livez`, `/readyz` and `/metrics`. Resolves when it listens;
 * the model may still be loading then.
 * @throws {DecideError} `invalid_request` for options that are none, a model without a price, and a key file that cannot be read.
 * @throws what the system says when it cannot listen: an error with a `code` such as `EADDRINUSE`.
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const settings = withServeDefaults(options);
  const { logger = SILENT, decider, keyFile, tls, basePath = "", credits } = options;
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
    const handler = createHandler({ ...options, keys, onServed });
    const service = new Service({ server, handler, decider, logger, metrics, watched, settings, basePath });
    metrics?.read({
      waiting: () => handler.load.waiting,
      running: () => handler.load.running,
      workersStarted: () => decider.stats().workersStarted,
      isReady: () => service.ready,
    });
    if (keys === undefined) logger.warn({}, "authentication is off: whoever reaches this server may ask");
    await service.start();
    return service;
  } catch (error) {
    metrics?.close();
    await watched?.close();
    throw error;
  }
}

/** A model without a price would be refused only once it has answered. */
async function checkPrices(prices: Prices, decider: Decider): Promise<void> {
  const without = (await decider.models()).map(({ id }) => id).filter((id) => priceOf(prices, id) === undefined);
  if (without.length > 0)
    throw new DecideError("invalid_request", `There is no price for ${without.join(", ")}. Name one for each model, or one for all.`);
}

function follow(keyFile: string, logger: Logger, metrics: Metrics | undefined): Promise<WatchedKeys> {
  return watchKeyFile(keyFile, {
    onError: ({ message }) => {
      metrics?.keyFileError();
      logger.error({ problem: message }, "the key file cannot be followed: the last good keys stay");
    },
    onChange: (keys) => {
      logger.info({ keys }, "keys changed");
    },
  });
}
