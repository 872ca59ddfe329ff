import { engineSuite } from "../library/engine/suite.ts";

engineSuite("on wasm, on the caller's thread", { device: "wasm", inline: true });
