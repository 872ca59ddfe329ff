import * as Comlink from "comlink";
import { loadBrowserEngine } from "../platform/browser/engine.ts";
import { makeHost } from "./host.ts";

Comlink.expose(makeHost(loadBrowserEngine));
