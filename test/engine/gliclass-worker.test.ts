import { addedSuite } from "./added-suite.ts";
import { GLICLASS } from "./suite-models.ts";

addedSuite(GLICLASS, "in a worker", {});
