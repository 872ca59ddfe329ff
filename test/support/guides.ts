import { readFileSync, readdirSync } from "node:fs";
import { PACKAGE_ROOT } from "./package-root.ts";

/** The pages that a user reads: the README and the guides. Paths inside the package. */
export const GUIDES: readonly string[] = [
  "README.md",
  ...readdirSync(new URL("docs/", PACKAGE_ROOT))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** A file of the package as text. */
export function textOf(path: string): string {
  return readFileSync(new URL(path, PACKAGE_ROOT), "utf8");
}
