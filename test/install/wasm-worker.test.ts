import { engineSuite } from "../engine/suite.ts";

engineSuite("on wasm, in a worker", { device: "wasm" });
