#!/usr/bin/env node
import { report } from "./failure.ts";
import { main } from "./main.ts";

// Only a running server catches Ctrl-C. Any other command ends by the signal, at once and without a message, and the shell sees 130.

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // EPIPE: the reader of the pipe, for example `head`, has seen enough.
  process.exit(error.code === "EPIPE" ? 0 : report(process, error));
});

// This file is built to dist/cli.js. index.node.ts finds the package's folder in the same way. It must not be imported here, or the bundler would
// move its code one folder deeper.
await main(process.argv.slice(2), process, new URL("./", import.meta.url));
