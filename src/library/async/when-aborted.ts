/**
 * Who waits for each signal. A signal has one listener of ours, however many calls wait for it: Node warns of a leak when it has more than ten. An
 * entry lives for as long as somebody waits.
 */
const WAITING = new WeakMap<AbortSignal, { readonly told: Set<() => void>; readonly tell: () => void }>();

/**
 * Calls `told` once the signal is aborted; not for one that is aborted already.
 * @returns a function that ends the wait. It must be called once nobody waits any more.
 */
export function whenAborted(signal: AbortSignal, told: () => void): () => void {
  const { told: all, tell } = WAITING.get(signal) ?? startWaiting(signal);
  // A function of this wait alone: the same `told` may wait more than once.
  const call = (): void => {
    told();
  };
  all.add(call);
  return () => {
    if (!all.delete(call) || all.size > 0) return;
    WAITING.delete(signal);
    signal.removeEventListener("abort", tell);
  };
}

function startWaiting(signal: AbortSignal): { readonly told: Set<() => void>; readonly tell: () => void } {
  const told = new Set<() => void>();
  const tell = (): void => {
    for (const call of told) call();
  };
  const waiting = { told, tell };
  WAITING.set(signal, waiting);
  signal.addEventListener("abort", tell, { once: true });
  return waiting;
}
