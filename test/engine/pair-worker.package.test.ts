import { engineSuite } from "./suite.ts";
import { PAIR } from "./suite-models.ts";

engineSuite("with a pair model, in a worker", {}, PAIR);
