// npm run playground: gathers the page's files in dist-playground/ and serves them on this machine.
//   --port <number>   default 4173; 0 takes a free one
//   --out <folder>    only gathers the files there; any static server can serve them, from any path
import { createServer } from "node:http";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import sirv from "sirv";
import { assemble } from "./assemble.mjs";

/** The first two make threads possible; the last one keeps the page from talking to anyone but this server. */
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
    const why = error.code === "EADDRINUSE" ? `Port ${values.port} is taken; try --port 0, which takes a free one.` : error.message;
    console.error(why);
    process.exitCode = 1;
  });
  // This machine alone: what is typed here is nobody else's business.
  server.listen(Number(values.port), "localhost", () => console.log(`Playground: http://localhost:${server.address().port}/`));
}
