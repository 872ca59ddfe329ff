import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { PACKAGE_ROOT } from "../../support/package-root.ts";
import { tempDir } from "../../support/temp-dir.ts";

export type Config = Record<string, unknown>;

/** A copy of a tiny model in hub layout, for tests that change it. */
export class ModelFolder {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** @param fixture its name in test/fixtures/models @param name of the folder */
  static async make(fixture = "bert", name = "tiny-model"): Promise<ModelFolder> {
    const path = join(tempDir(), name);
    await cp(fileURLToPath(new URL(`test/fixtures/models/${fixture}`, PACKAGE_ROOT)), path, { recursive: true });
    return new ModelFolder(path);
  }

  file(name: string): string {
    return join(this.path, ...name.split("/"));
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await writeFile(this.file(name), content);
  }

  async delete(name: string): Promise<void> {
    await rm(this.file(name));
  }

  async config(change: (config: Config) => void): Promise<void> {
    const config = JSON.parse(await readFile(this.file("config.json"), "utf8")) as Config;
    change(config);
    await this.write("config.json", JSON.stringify(config));
  }

  /** Its labels, in order. */
  async label(labels: readonly string[]): Promise<void> {
    await this.config((config) => {
      config["id2label"] = Object.fromEntries(labels.entries());
      config["label2id"] = Object.fromEntries(labels.map((label, i) => [label, i]));
    });
  }

  async remove(): Promise<void> {
    await rm(join(this.path, ".."), { recursive: true, force: true });
  }
}
