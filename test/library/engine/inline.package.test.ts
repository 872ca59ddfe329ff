import { OF_A_THREAD, engineSuite } from "./suite.ts";
import { BUILT_IN } from "./suite-models.ts";

engineSuite("on the caller's thread", { inline: true, threads: 1 }, BUILT_IN, OF_A_THREAD);
