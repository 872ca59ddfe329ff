import { engineSuite } from "./suite.ts";
import { RELATIVE } from "./suite-models.ts";

engineSuite("with relative positions, on the caller's thread", { inline: true, threads: 1 }, RELATIVE);
