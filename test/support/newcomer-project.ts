import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { packageRootPath } from "./package-root.ts";
import { tempDir } from "./temp-dir.ts";

const run = promisify(execFile);

/** What a program prints that decides on the device it is given. */
export interface Decided {
  readonly node: string;
  readonly choice: string;
  readonly model: string;
  readonly device: string;
  readonly deviceReason: string;
}

const PROGRAM = `
  import { createDecider } from "umpire";
  const decider = await createDecider({ device: process.argv.at(-1) });
  const criteria = { billing: null, weather: null };
  const { answers, model } = await decider.decide({
    state: "My card was charged twice.",
    questions: { topic: { type: "choice", instructions: "What is this about?", criteria } },
  });
  const { device, deviceReason } = await decider.info();
  await decider.close();
  console.log(JSON.stringify({ node: process.version, choice: answers.topic.choice, model, device, deviceReason }));`;

/** Packs the built package. @returns the tarball's path */
export async function packInto(folder: string): Promise<string> {
  await run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], { cwd: packageRootPath });
  const [name = ""] = (await readdir(folder)).filter((file) => file.endsWith(".tgz"));
  return join(folder, name);
}

/** An empty project of a new user, far from this checkout and its settings. */
export class NewcomerProject {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<NewcomerProject> {
    const project = new NewcomerProject(tempDir());
    await writeFile(join(project.folder, "package.json"), '{ "name": "newcomer", "version": "1.0.0", "private": true }\n');
    await writeFile(join(project.folder, "program.mjs"), PROGRAM);
    return project;
  }

  /**
   * Runs a command in the project, with install scripts on, and with no way for onnxruntime-node's script to download anything.
   * @returns what it printed
   */
  async run(command: string, args: readonly string[]): Promise<string> {
    const env: NodeJS.ProcessEnv = { ...process.env };
    // What npm sets for its own scripts, this test run among them, would be settings of the npm under test.
    for (const name of Object.keys(env)) if (/^npm_|^ONNXRUNTIME_NODE/i.test(name)) Reflect.deleteProperty(env, name);
    // onnxruntime-node's script downloads through this proxy if there is one. Package managers do not know the variable.
    env["GLOBAL_AGENT_HTTPS_PROXY"] = "http://127.0.0.1:9";
    const { stdout } = await run(command, args, { cwd: this.folder, env, maxBuffer: 2 ** 26 });
    return stdout;
  }

  /** Decides on a device. @param node the command that runs Node */
  async decide(device: string, node: readonly [string, ...string[]] = [process.execPath]): Promise<Decided> {
    const [command, ...args] = node;
    return JSON.parse(await this.run(command, [...args, "program.mjs", device])) as Decided;
  }
}
