import { resolve } from "node:path";
import { Command, Option } from "commander";
import { onEndSignal, type Io } from "./io.ts";
import { portFrom } from "./input/flags.ts";
import type { Platform } from "../../library/platform/platform.ts";
import { escapeControls } from "./output/terminal-text.ts";
import type { PageModels } from "../playground/page.ts";

interface Flags {
  readonly port?: number;
  readonly out?: string;
}

const PORT = 4173;

const EXAMPLES = `
The model runs in the page. What is typed there is sent nowhere; only this machine
can open it. Where umpire-base is installed, the page offers umpire-3-base, too.
Ctrl-C ends it. Exit codes: 0 ended or written, 1 failed, 2 bad input.

Examples:
  $ umpire playground
  $ umpire playground --port 8080
  $ umpire playground --out public
`;

export function playgroundCommand(io: Io, platform: Pick<Platform, "builtIn">, dist: URL): Command {
  return new Command("playground")
    .description("try questions in a page on this machine")
    .option("-p, --port <number>", `port to listen on; 0 takes any free port (default: ${PORT}, or the next one that is free)`, portFrom)
    .addOption(new Option("--out <folder>", "only write the page's files to a new folder, for any web server").conflicts("port"))
    .addHelpText("after", EXAMPLES)
    .action(async ({ port, out }: Flags) => {
      const { gatherPage, pageModels } = await import("../playground/page.ts");
      const models = await pageModels(await platform.builtIn());
      if (models.damage !== undefined)
        io.stderr.write(`${escapeControls(models.damage)} Until then the page has the built-in model alone.\n`);
      if (out === undefined) return serve(io, dist, models, port);
      const folder = resolve(out);
      await gatherPage(dist, folder, models);
      io.stdout.write(`The playground's files are in ${escapeControls(folder)}. Serve them with any web server.\n`);
    });
}

async function serve({ stdout, stderr }: Io, dist: URL, models: PageModels, chosen: number | undefined): Promise<void> {
  const { HOST, portsFrom, servePage } = await import("../playground/page.ts");
  let ignoreSignals = (): void => undefined;
  const stopped = new Promise((resolve) => (ignoreSignals = onEndSignal(resolve)));
  try {
    const server = await servePage(dist, portsFrom(chosen, PORT), models);
    const { port } = server;
    if (chosen === undefined && port !== PORT) stderr.write(`Port ${PORT} is in use, so this is another one.\n`);
    stdout.write(`Playground: http://${HOST}:${port}/\n`);
    stderr.write("Open it in a browser. What you type stays in the page. Ctrl-C ends it.\n");
    await stopped;
    await server.close();
  } finally {
    ignoreSignals();
  }
}
