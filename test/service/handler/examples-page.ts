import { readFileSync } from "node:fs";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { examplesOf } from "../../support/page-examples.ts";
import type { Example } from "../../support/page-examples.ts";

/** The blocks of the page of examples. */
export const examples = examplesOf(readFileSync(new URL("examples/http/README.md", PACKAGE_ROOT), "utf8"));

/** Those with a mark, such as `run`. */
export const marked = (mark: string): Example[] => examples.filter(({ marks }) => marks.includes(mark));

/** Those that others import. */
export const files = examples.filter(({ file }) => file !== undefined);
