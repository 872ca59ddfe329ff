import { engineSuite } from "../library/engine/suite.ts";

engineSuite("on wasm, in a worker", { device: "wasm" });
