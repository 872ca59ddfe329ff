import { engineSuite } from "./suite.ts";

engineSuite("on the caller's thread", { inline: true, threads: 1 });
