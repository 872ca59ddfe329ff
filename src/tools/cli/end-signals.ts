const END_SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Listens for Ctrl-C and for the signal by which a system ends a program. Each is heard once: a second one of the same kind ends the process, as it does
 * where nobody listens.
 * @returns what ends the listening
 */
export function onEndSignal(listener: (signal: NodeJS.Signals) => void): () => void {
  for (const signal of END_SIGNALS) process.once(signal, listener);
  return () => {
    for (const signal of END_SIGNALS) process.off(signal, listener);
  };
}

/** Ends the process by a signal, so that a shell sees why it ended. */
export function endBy(signal: NodeJS.Signals): void {
  process.kill(process.pid, signal);
}
