import { engineSuite } from "./suite.ts";
import { PAIR } from "./suite-models.ts";

engineSuite("with a pair model, on the caller's thread", { inline: true, threads: 1 }, PAIR);
