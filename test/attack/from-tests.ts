/** What the attacks share with the tests. It is bundled, because Node 20 cannot run TypeScript. */
export { freeFixedPort } from "../service/node/server-process.ts";
export { mayMount, onSmallDisk } from "../service/node/ledger/small-disk.ts";
export { PayingClient, costOf, isAnswered, keyEntries, statusesOf } from "../service/node/ledger/paying-clients.ts";
export { foreignBodies } from "../support/foreign-bodies.ts";
export { mutatedBodies } from "../support/mutated-bodies.ts";
export { PackCopy } from "../support/pack-copy.ts";
