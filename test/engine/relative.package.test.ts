import { engineSuite } from "./suite.ts";
import { RELATIVE } from "./suite-models.ts";

engineSuite("with relative positions", {}, RELATIVE);
