import { addedSuite } from "./added-suite.ts";
import { PAIR } from "./suite-models.ts";

addedSuite(PAIR, "in a worker", {});
