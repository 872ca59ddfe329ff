// Decides with a pack by the package's sources: node answer.mjs <folder of a pack> <request in JSON>. Prints the probabilities by question, in JSON.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const [, , model, request] = process.argv;
const root = fileURLToPath(new URL("../../../", import.meta.url));
const program = `
  import { createDecider } from "./src/index.node.ts";
  const decider = await createDecider({ model: ${JSON.stringify(model)}, inline: true, threads: 1 });
  const { answers } = await decider.decide(${request});
  console.log(JSON.stringify(answers));
  await decider.close();
`;
const { outputFiles } = await build({
  stdin: { contents: program, loader: "ts", resolveDir: root },
  bundle: true,
  write: false,
  format: "esm",
  platform: "node",
  packages: "external",
  define: { UMPIRE_VERSION: '"0.0.0"' },
});
const { status } = spawnSync(process.execPath, ["--input-type=module"], {
  cwd: root,
  input: outputFiles[0].text,
  stdio: ["pipe", "inherit", "inherit"],
});
process.exitCode = status ?? 1;
