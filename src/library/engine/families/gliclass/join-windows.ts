/**
 * One score a label of a text that was read in windows: the highest. A label is about the text if it is about any part of it, and the authors' package
 * joins chunks in the same way.
 * @param windows the scores of each window, in the order of the labels
 */
export function joinWindows([first = new Float32Array(), ...others]: readonly Float32Array[]): Float32Array {
  return others.reduce((joined, scores) => joined.map((score, i) => Math.max(score, scores[i] ?? NaN)), first);
}
