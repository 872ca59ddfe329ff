import { engineSuite } from "./suite.ts";
import { GLICLASS } from "./suite-models.ts";

engineSuite("with a GLiClass model, in a worker", {}, GLICLASS);
