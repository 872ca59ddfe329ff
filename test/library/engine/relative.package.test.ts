import { OF_ANY_PACK, engineSuite } from "./suite.ts";
import { RELATIVE } from "./suite-models.ts";

engineSuite("with relative positions", {}, RELATIVE, OF_ANY_PACK);
