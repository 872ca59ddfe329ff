import { pairSuite } from "./pair-suite.ts";

pairSuite("with a pair model, in a worker", {});
