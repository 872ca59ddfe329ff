/** Keys of which something is remembered. Of more, those are forgotten that were set longest ago. */
const REMEMBERED_KEYS = 10_000;

/** Sets what is remembered of a key, which is then the newest of the map. */
export function remember<V>(byKey: Map<string, V>, key: string, value: V): void {
  byKey.delete(key);
  byKey.set(key, value);
  const [oldest] = byKey.keys();
  if (byKey.size > REMEMBERED_KEYS && oldest !== undefined) byKey.delete(oldest);
}
