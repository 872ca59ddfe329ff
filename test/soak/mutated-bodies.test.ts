import { bodiesSuite } from "../http/bodies-suite.ts";

bodiesSuite(5200);
