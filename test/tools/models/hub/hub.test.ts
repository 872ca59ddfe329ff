import { writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { checkModelName, checkRevision, readHubSettings } from "../../../../src/tools/models/hub/hub.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { failure } from "./set-up.ts";

let folder: string;
beforeEach(() => {
  folder = tempDir();
});

describe("the settings of a hub", () => {
  it("are those of the public one", async () => {
    expect(await readHubSettings({ XDG_CACHE_HOME: folder })).toEqual({
      endpoint: "https://huggingface.co",
      host: "huggingface.co",
      offline: false,
      unusedProxy: false,
      cacheFolder: join(folder, "huggingface/hub"),
    });
    expect((await readHubSettings({ HF_TOKEN: "hf_a" })).cacheFolder).toBe(join(homedir(), ".cache/huggingface/hub"));
  });

  it("name another hub", async () => {
    expect(await readHubSettings({ HF_HOME: folder, HF_ENDPOINT: "http://hub.example:8080/mirror//" })).toMatchObject({
      endpoint: "http://hub.example:8080/mirror",
      host: "hub.example:8080",
    });
  });

  it.each(["hub.example", "file:///hub", "https://user:secret@hub.example", "https://hub.example?token=secret"])(
    "refuse the address %s, without a word of it",
    async (endpoint) => {
      const message = await failure(() => readHubSettings({ HF_HOME: folder, HF_ENDPOINT: endpoint }));
      expect(message).toMatch(/^HF_ENDPOINT is not the address of a model hub\./);
      expect(message).not.toContain("secret");
    },
  );

  it.each([
    [{ HF_HOME: "/a" }, "/a/hub"],
    [{ HF_HOME: "~/a" }, join(homedir(), "a/hub")],
    [{ HF_HOME: "/a", HUGGINGFACE_HUB_CACHE: "/b" }, "/b"],
    [{ HF_HOME: "/a", HUGGINGFACE_HUB_CACHE: "/b", HF_HUB_CACHE: "/c" }, "/c"],
    [{ HF_HOME: "/a", HF_HUB_CACHE: "" }, "/a/hub"],
  ])("%j put the cache into %s", async (env, cacheFolder) => {
    expect((await readHubSettings({ HF_TOKEN: "hf_a", ...env })).cacheFolder).toBe(cacheFolder);
  });

  it.each([
    ["1", true],
    ["true", true],
    ["YES", true],
    ["0", false],
    ["", false],
  ])("HF_HUB_OFFLINE=%s: %s", async (value, offline) => {
    expect((await readHubSettings({ HF_HOME: folder, HF_HUB_OFFLINE: value })).offline).toBe(offline);
  });

  it("take the token from the environment, or from the file of the hub's own tools", async () => {
    await writeFile(join(folder, "token"), "hf_of_file\n");
    await writeFile(join(folder, "other"), "hf_of_other");
    const tokenOf = async (env: Record<string, string>): Promise<unknown> => (await readHubSettings({ HF_HOME: folder, ...env })).token;
    expect(await tokenOf({ HF_TOKEN: " hf_given\n" })).toEqual({ text: "hf_given", origin: "HF_TOKEN" });
    expect(await tokenOf({})).toEqual({ text: "hf_of_file", origin: join(folder, "token") });
    expect(await tokenOf({ HF_TOKEN_PATH: join(folder, "other") })).toMatchObject({ text: "hf_of_other" });
    expect(await tokenOf({ HF_TOKEN_PATH: join(folder, "none") })).toBeUndefined();
    await writeFile(join(folder, "other"), "\n");
    expect(await tokenOf({ HF_TOKEN_PATH: join(folder, "other") })).toBeUndefined();
    expect(await failure(() => tokenOf({ HF_TOKEN_PATH: folder }))).toContain("cannot be read: it is a folder.");
  });

  it.each(["hf_secret hf_secret", "hf_secret\u0000", "hf_sécret"])("refuse the token %j, without a word of it", async (token) => {
    const message = await failure(() => readHubSettings({ HF_HOME: folder, HF_TOKEN: token }));
    expect(message).toMatch(/^HF_TOKEN holds characters that no token has/);
    expect(message).not.toContain("hf_s");
  });
});

describe("a model's name", () => {
  it.each(["org/name", "a/b", "Some_Org.1/deberta-v3_base.2"])("is %s", (name) => {
    expect(() => {
      checkModelName(name);
    }).not.toThrow();
  });

  it.each([
    "name",
    "org/name/more",
    "/name",
    "org/",
    "org/..",
    "../name",
    "org/na--me",
    "org/na me",
    "org/name?",
    ".org/name",
    "org\\name",
    `org/${"n".repeat(97)}`,
    "",
  ])("is not %j", async (name) => {
    expect(
      await failure(() => {
        checkModelName(name);
      }),
    ).toContain("named org/name");
  });
});

describe("a revision", () => {
  it.each(["main", "v1.0", "refs/pr/12", "feature/é+x", "0123456"])("is %s", (revision) => {
    expect(() => {
      checkRevision(revision);
    }).not.toThrow();
  });

  it.each(["", "..", "a/../b", "/a", "-a", "a b", "a\\b", "a:b", "a\0", "a?b", "a".repeat(201)])("is not %j", async (revision) => {
    expect(
      await failure(() => {
        checkRevision(revision);
      }),
    ).toContain("The revision is not the name of");
  });
});
