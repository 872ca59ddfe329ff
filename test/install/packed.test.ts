import { execFile } from "node:child_process";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packBase } from "../support/base-package.ts";
import { InstalledPackage } from "../support/installed-package.ts";

const run = promisify(execFile);

const ASK = `
  const { answers, model } = await decide({
    state: "My card was charged twice for one order.",
    questions: { topic: { type: "choice", instructions: "What is this about?", criteria: { billing: null, weather: null } } },
  });
  console.log(JSON.stringify({ model, choice: answers.topic.choice }));
`;

describe("the packed tarball, installed into an empty project", () => {
  let installed: InstalledPackage;
  let project: string;
  beforeAll(async () => {
    installed = await InstalledPackage.make();
    ({ project } = installed);
  });
  afterAll(() => installed.remove());

  const answered = async (file: string, source: string): Promise<unknown> => {
    await writeFile(join(project, file), source);
    const { stdout } = await run(process.execPath, [file], { cwd: project });
    return JSON.parse(stdout);
  };
  const right = { model: "umpire-2", choice: "billing" };

  it("decides in an ES module", async () => {
    expect(await answered("module.mjs", `import { decide } from "umpire";\n${ASK}`)).toEqual(right);
  });

  it("decides in CommonJS, with await import", async () => {
    expect(await answered("common.cjs", `(async () => {\nconst { decide } = await import("umpire");\n${ASK}})();`)).toEqual(right);
  });

  it("includes the handler, the server and their types", async () => {
    const source = `
      import { createDecider } from "umpire";
      import { createHandler, createKeys, keyFromSecret } from "umpire/http";
      import { serve } from "umpire/serve";
      const decider = createDecider();
      const keys = createKeys([await keyFromSecret("app", "secret")]);
      const server = await serve({ decider, keys, port: 0 });
      const body = JSON.stringify({ model: "latest", state: "My card was charged twice.", questions: { topic: { type: "choice", instructions: "What is this about?", criteria: { billing: null, weather: null } } } });
      const init = { method: "POST", headers: { authorization: "Bearer secret" }, body };
      const replies = await Promise.all([fetch(server.url + "/decision/v1/model", init), createHandler({ decider, keys })("http://here/v1/systemone", init)]);
      const [one, two] = await Promise.all(replies.map((reply) => reply.json()));
      console.log(JSON.stringify({ model: one.model, choice: two.answers.topic.choice }));
      await server.close();
      await decider.close();\n`;
    expect(await answered("service.mjs", source)).toEqual(right);
    await writeFile(
      join(project, "service.mts"),
      `import { createDecider } from "umpire";
       import { createHandler } from "umpire/http";
       import type { Keys, Served } from "umpire/http";
       import { serve } from "umpire/serve";
       const keys: Keys = { find: async () => undefined };
       const handler = createHandler({ decider: createDecider(), keys, onServed: (served: Served) => served.status });
       export const reply: Promise<Response> = handler(new Request("http://here/"));
       export const url: Promise<string> = serve({ decider: createDecider() }).then((server) => server.url);
       // @ts-expect-error this limit does not exist
       createHandler({ decider: createDecider(), limits: { bodyBites: 1 } });\n`,
    );
    await installed.compile(["service.mts"], {
      lib: ["es2022", "dom", "esnext.disposable"],
      module: "nodenext",
      moduleResolution: "nodenext",
    });
  });

  it("has a handler that needs nothing from Node, for service workers and other runtimes", async () => {
    await writeFile(join(project, "worker.mjs"), `import { createHandler } from "umpire/http";\nself.handler = createHandler;\n`);
    const { errors } = await build({
      entryPoints: [join(project, "worker.mjs")],
      bundle: true,
      format: "esm",
      platform: "browser",
      write: false,
    });
    expect(errors).toEqual([]);
  });

  it("includes the command line", async () => {
    const umpire = join(project, "node_modules", ".bin", "umpire");
    const { stdout } = await run(umpire, ["decide", "--state", "My card was charged twice.", "--choose", "billing,weather"], {
      cwd: project,
    });
    expect(JSON.stringify(JSON.parse(stdout))).toContain('"choice":"billing"');
  });

  it("has types that compile without this repository's settings", async () => {
    await writeFile(
      join(project, "typed.mts"),
      `import { decide } from "umpire";
       const { answers } = await decide({ state: "", questions: { topic: { type: "choice", instructions: "", criteria: { a: null, b: null } } } });
       export const choice: "a" | "b" = answers.topic.choice;
       // @ts-expect-error a choice has no noul
       export const noul = answers.topic.noul;\n`,
    );
    for (const [module, moduleResolution] of [
      ["nodenext", "nodenext"],
      ["esnext", "bundler"],
    ]) {
      await installed.compile(["typed.mts"], { lib: ["es2022", "dom", "esnext.disposable"], module, moduleResolution });
    }
  });

  it("has types for a page's project", async () => {
    await writeFile(
      join(project, "page.ts"),
      `import { clearCache, createDecider } from "umpire";
       import type { Device, Progress } from "umpire";
       const shown = ({ file, loadedBytes, totalBytes }: Progress) => { document.title = file + " " + Math.round((100 * loadedBytes) / totalBytes) + "%"; };
       const decider = createDecider({ device: "wasm", assets: new URL("/umpire/", location.href), onProgress: shown });
       const info = await decider.info();
       export const device: Device = info.device;
       export const fetched: number | undefined = info.download?.fetchedBytes;
       // @ts-expect-error this device does not exist
       createDecider({ device: "npu" });
       await clearCache();\n`,
    );
    const bundler = { module: "esnext", moduleResolution: "bundler" };
    await installed.compile(["page.ts"], { ...bundler, lib: ["es2022", "dom", "esnext.disposable"] });
    // The settings in bundlers' templates, which do not mention disposables.
    const page = { isolatedModules: true, verbatimModuleSyntax: true, skipLibCheck: true };
    await installed.compile(["page.ts"], { ...bundler, ...page, lib: ["es2022", "dom", "dom.iterable"] });
  });

  it("contains only what a user needs, and stays below 31 MB", async () => {
    expect((await stat(installed.tarball)).size).toBeLessThan(31e6);
    const { stdout } = await run("tar", ["-tzf", installed.tarball]);
    const folders = new Set(
      stdout
        .trim()
        .split("\n")
        .map((path) => path.split("/").slice(1, 3).join("/")),
    );
    for (const path of folders)
      expect(path).toMatch(/^(dist\/|docs\/|examples\/|models\/|package\.json$|README\.md$|LICENSE$|NOTICE$|CHANGELOG\.md$|SECURITY\.md$)/);
  });

  it("answers with the model of umpire-base once that is installed beside it, and without it as before", async () => {
    const whoAnswers = `
      import { createDecider } from "umpire";
      const request = { state: "My card was charged twice.", questions: { paid: { type: "noul", instructions: "Is this about money?" } } };
      const answeredBy = async (model) => {
        const decider = createDecider({ model });
        const outcome = await decider.decide(request).then((answered) => answered.model, ({ code, message }) => code + ": " + message);
        await decider.close();
        return outcome;
      };
      console.log(JSON.stringify([await answeredBy(), await answeredBy("umpire-2"), await answeredBy("umpire-3-base")]));`;
    const asked = (): Promise<unknown> => answered("models.mjs", whoAnswers);
    const alone = ["umpire-2", "umpire-2", expect.stringMatching(/^model_not_found: .* npm install umpire-base\. /u)];
    expect(await asked()).toEqual(alone);
    const base = await packBase();
    await installed.npm("install", base);
    const both = ["umpire-3-base", "umpire-2", "umpire-3-base"];
    expect(await asked()).toEqual(both);
    // What the message of a damaged one advises mends it.
    await rm(join(project, "node_modules/umpire-base/umpire-3-base/manifest.json"));
    const damaged = expect.stringMatching(
      /^model_invalid: .* Install it anew: npm uninstall umpire-base, then npm install umpire-base\.$/u,
    ) as string;
    expect(await asked()).toEqual([damaged, "umpire-2", damaged]);
    await installed.npm("uninstall", "umpire-base");
    expect(await asked()).toEqual(alone);
    await installed.npm("install", base);
    expect(await asked()).toEqual(both);
    const typed = `import base from "umpire-base";\nimport { createDecider } from "umpire";\nexport const decider = createDecider({ model: base });\n`;
    await writeFile(join(project, "base.mts"), typed);
    await installed.compile(["base.mts"], { lib: ["es2022"], module: "nodenext", moduleResolution: "nodenext" });
    await installed.npm("uninstall", "umpire-base");
    expect(await asked()).toEqual(alone);
  });
});

it("the same files make the same umpire-base, to the byte", async () => {
  const [one, other] = await Promise.all([packBase(), packBase()]);
  expect((await readFile(one)).equals(await readFile(other))).toBe(true);
  const { stdout } = await run("tar", ["-tzf", one]);
  const top = new Set(
    stdout
      .trim()
      .split("\n")
      .map((path) => path.split("/")[1]),
  );
  expect([...top].sort()).toEqual(["LICENSE", "NOTICE", "README.md", "index.d.ts", "index.js", "package.json", "umpire-3-base"]);
});
