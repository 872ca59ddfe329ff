import { engineSuite } from "./suite.ts";
import { GLICLASS } from "./suite-models.ts";

engineSuite("with a GLiClass model, on the caller's thread", { inline: true, threads: 1 }, GLICLASS);
