import { availableParallelism, cpus } from "node:os";

/**
 * Describes the machine and the decider that were measured.
 * @param {{ threads: number, graph: string, model: string }} info the decider's
 */
export function environmentOf({ threads, graph, model }) {
  return { node: process.version, processor: cpus()[0]?.model.trim(), processors: availableParallelism(), threads, graph, model };
}

/** Formats the environment as one line. */
export function shownEnvironment({ node, processor, processors, threads, graph, model }) {
  return `${model}, graph ${graph}, ${threads} threads; Node ${node}; ${processor}, ${processors} processors`;
}
