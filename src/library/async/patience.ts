/** How long a worker may take for an answer that is due, in ms. A run of the model, which nothing interrupts, takes a small part of it. */
export const PATIENCE_MS = 30_000;
/** A caller that was busy itself, or held by a debugger, reads what has come meanwhile only after its timers. It gets so long for that, in ms. */
const READING_MS = 1000;

/** Calls `giveUp` after `PATIENCE_MS`. @returns what ends the wait. */
export function withPatience(giveUp: () => void): () => void {
  let timer = setTimeout(() => {
    timer = setTimeout(giveUp, READING_MS);
  }, PATIENCE_MS - READING_MS);
  return () => {
    clearTimeout(timer);
  };
}
