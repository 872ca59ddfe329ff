import type { LooseManifest } from "./pack-copy.ts";

/** A change to a manifest, for `PackCopy.lie`. @param path names joined by dots @param value undefined removes the field */
export function set(path: string, value: unknown): (manifest: LooseManifest) => void {
  return (manifest) => {
    const names = path.split(".");
    const last = names.pop() ?? "";
    let at: Record<string, unknown> = manifest;
    for (const name of names) at = at[name] as Record<string, unknown>;
    if (value === undefined) Reflect.deleteProperty(at, last);
    else at[last] = value;
  };
}
