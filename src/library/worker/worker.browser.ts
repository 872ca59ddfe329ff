import { loadBrowserEngine } from "../platform/browser/engine.ts";
import { makeHost, serveHost } from "./worker-engine.ts";

// Until this message arrives, the page takes any error of the worker for a script that could not be loaded.
postMessage("started");
serveHost(makeHost(loadBrowserEngine), {
  port: { postMessage },
  listen: (listener) => {
    addEventListener("message", ({ data }) => {
      listener(data);
    });
  },
});
