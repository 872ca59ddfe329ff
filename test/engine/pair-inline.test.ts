import { addedSuite } from "./added-suite.ts";
import { PAIR } from "./suite-models.ts";

addedSuite(PAIR, "on the caller's thread", { inline: true, threads: 1 });
