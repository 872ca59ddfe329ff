import { pairSuite } from "./pair-suite.ts";

pairSuite("with a pair model, on the caller's thread", { inline: true, threads: 1 });
