import { bodiesSuite } from "./bodies-suite.ts";

// test/soak sends more of them.
bodiesSuite(800);
