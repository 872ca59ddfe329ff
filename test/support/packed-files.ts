import { packed } from "../../packaging/size.mjs";
import type { Packed } from "../../packaging/size.mjs";

let tarball: Promise<Packed> | undefined;

/** The tarball that `npm pack` makes. Once for all files of a process: it takes seconds. */
export function packedOnce(): Promise<Packed> {
  return (tarball ??= packed());
}

/** Paths of the files in the tarball. */
export async function packedFiles(): Promise<ReadonlySet<string>> {
  return new Set((await packedOnce()).paths);
}
