// The browser benchmark's web server. It serves both contenders' files uncompressed and counts the bytes sent.
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import sirv from "sirv";

/** Folders by the start of the path. Files have ETags, so a second visit only asks whether they have changed, as with most servers. */
const FOLDERS = {
  bench: "pages/",
  umpire: "../../dist/",
  transformers: "../peers/node_modules/@huggingface/transformers/dist/",
  onnxruntime: "../peers/node_modules/onnxruntime-web/dist/",
  "models/pair": "../peers/.model/",
};

/** Makes pages cross-origin isolated, so that both contenders may use threads. */
const ISOLATED = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** Finds the file for a path of the site. */
export function fileOf(path) {
  const [name, folder] = Object.entries(FOLDERS).find(([start]) => path.startsWith(`/${start}/`));
  return fileURLToPath(new URL(folder + path.slice(name.length + 2), import.meta.url));
}

/** @returns {Promise<{ origin: string, sent: () => { path: string, bytes: number }[], close: () => void }>} `sent`: the bodies sent since the last call */
export async function startSite() {
  const folders = Object.entries(FOLDERS).map(([name, folder]) => [
    `/${name}/`,
    sirv(fileURLToPath(new URL(folder, import.meta.url)), { dev: true, etag: true, dotfiles: true }),
  ]);
  let log = [];
  const server = createServer((request, response) => {
    const { url } = request;
    for (const [name, value] of Object.entries(ISOLATED)) response.setHeader(name, value);
    response.on("close", () => {
      const bytes = response.statusCode < 300 && request.method === "GET" ? Number(response.getHeader("content-length") ?? 0) : 0;
      log.push({ path: new URL(url, "http://site").pathname, bytes });
    });
    const [prefix, serve] = folders.find(([start]) => url.startsWith(start)) ?? [];
    const nothing = () => response.writeHead(404, { "content-length": 0 }).end();
    if (serve === undefined) return nothing();
    request.url = url.slice(prefix.length - 1);
    serve(request, response, nothing);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://localhost:${server.address().port}`,
    sent: () => log.splice(0),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
