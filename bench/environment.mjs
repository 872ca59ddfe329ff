import { availableParallelism, cpus } from "node:os";

/**
 * With what was measured.
 * @param {{ threads: number, graph: string, model: string }} info of the decider
 */
export function environmentOf({ threads, graph, model }) {
  return { node: process.version, processor: cpus()[0]?.model.trim(), processors: availableParallelism(), threads, graph, model };
}

/** The same in a line. */
export function shownEnvironment({ node, processor, processors, threads, graph, model }) {
  return `${model}, graph ${graph}, ${threads} threads; Node ${node}; ${processor}, ${processors} processors`;
}
