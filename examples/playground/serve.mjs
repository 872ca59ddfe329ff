// npm run playground: gathers the page's files in dist-playground/ and serves them on this machine.
//   --port <number>   default 4173; 0 for any free port
//   --out <folder>    only gathers the files there, for any static server and any path
import { createServer } from "node:http";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import sirv from "sirv";
import { assemble } from "./assemble.mjs";

/** The first two headers allow threads. The last one lets the page talk only to this server. */
const HEADERS = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

const { values } = parseArgs({ options: { port: { type: "string", default: "4173" }, out: { type: "string" } } });
const folder = values.out === undefined ? fileURLToPath(new URL("../../dist-playground/", import.meta.url)) : resolve(values.out);

await assemble(folder);
if (values.out === undefined) serve();
else console.log(`The playground's files are in ${folder}. Serve them with any web server.`);

function serve() {
  const files = sirv(folder, { dev: true });
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(HEADERS)) response.setHeader(name, value);
    files(request, response, () => response.writeHead(404).end());
  });
  server.once("error", (error) => {
    const why = error.code === "EADDRINUSE" ? `Port ${values.port} is in use. Try --port 0 for any free port.` : error.message;
    console.error(why);
    process.exitCode = 1;
  });
  // Only this machine may connect, because what is typed here is private.
  server.listen(Number(values.port), "localhost", () => console.log(`Playground: http://localhost:${server.address().port}/`));
}
