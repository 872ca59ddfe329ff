import { writeFile } from "node:fs/promises";
import { join } from "node:path";

const HTML = `<!doctype html>
<html lang="en">
  <title>Page</title>
  <output></output>
  <script type="module" src="./page.js"></script>
</html>
`;
const SCRIPT = `import { createDecider } from "umpire";

const decider = createDecider({ device: "wasm", threads: 2 });
const { answers } = await decider.decide({
  state: "My card was charged twice for one order.",
  questions: { topic: { type: "choice", instructions: "What is this about?", criteria: { billing: null, weather: null } } },
});
const { device, threads } = await decider.info();
// This part of the package is loaded when it is first used.
const { warnings } = await decider.check({ type: "noul", instructions: "Isn't it late?" });
document.querySelector("output").textContent = JSON.stringify({ choice: answers.topic.choice, device, threads, warned: warnings.length > 0 });
`;
const HEADERS_FOR_THREADS = `export default {
  server: { headers: { "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp" } },
};
`;

/** Writes a new user's page into a project: `page.js` for bundlers and `plain-page.js` for use without one, and files that some bundlers need. */
export async function writePage(project: string): Promise<void> {
  const files = {
    "index.html": HTML,
    "page.js": SCRIPT,
    "plain-page.js": SCRIPT.replace('"umpire"', '"./index.browser.js"'),
    // For Vite's server.
    "threads.config.mjs": HEADERS_FOR_THREADS,
    // For webpack: a chunk of the page's own.
    "lazy.js": 'export const load = () => import(/* webpackChunkName: "umpire" */ "umpire");\n',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(project, name), text);
}
