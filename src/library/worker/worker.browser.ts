import * as Comlink from "comlink";
import { loadBrowserEngine } from "../platform/browser/engine.ts";
import { makeHost } from "./protocol.ts";

// Until this message arrives, the page takes any error of the worker for a script that could not be loaded.
postMessage("started");
Comlink.expose(makeHost(loadBrowserEngine));
