import { addedSuite } from "./added-suite.ts";
import { GLICLASS } from "./suite-models.ts";

addedSuite(GLICLASS, "on the caller's thread", { inline: true, threads: 1 });
