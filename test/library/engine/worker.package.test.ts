import { engineSuite } from "./suite.ts";

engineSuite("in a worker", {});
