import * as Comlink from "comlink";
import { loadBrowserEngine } from "../platform/browser/engine.ts";
import { makeHost } from "./host.ts";

// Until it hears this, the page takes an error for a script that could not be loaded.
postMessage("started");
Comlink.expose(makeHost(loadBrowserEngine));
