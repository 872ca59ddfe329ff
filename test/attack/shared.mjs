import { fileURLToPath } from "node:url";
import { importBundled } from "../support/bundled.mjs";

const entry = fileURLToPath(new URL("from-tests.ts", import.meta.url));

export const {
  PackCopy,
  PayingClient,
  costOf,
  foreignBodies,
  freeFixedPort,
  isAnswered,
  keyEntries,
  mayMount,
  mutatedBodies,
  onSmallDisk,
  statusesOf,
} = await importBundled({ entryPoints: [entry] }, new URL(".", import.meta.url));
