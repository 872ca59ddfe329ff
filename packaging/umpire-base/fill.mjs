// npm pack in this folder: puts the sealed pack and the licence beside the index before it, and takes them away after it.
import { createHash } from "node:crypto";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const MANIFEST = "manifest.json";
const SEAL = `${MANIFEST}.sha256`;
/** Files of a pack that its manifest does not list. */
const UNLISTED = [MANIFEST, SEAL, "MODEL_CARD.md"];

const { exports } = JSON.parse(await readFile(join(HERE, "package.json"), "utf8"));

/** Id of the pack that the package holds. It is in models/ of the repository, and no part of the package umpire. */
export const BASE_PACK = basename(dirname(exports[`./${MANIFEST}`]));

/**
 * Copies a pack whose files all have the SHA-256 that its sealed manifest states, and nothing else of its folder.
 * @param {string} from folder of the pack
 * @param {string} to folder that gets it
 * @throws {Error} saying in one sentence which file is missing or damaged
 */
export async function copySealed(from, to) {
  const read = (name) =>
    readFile(join(from, name)).catch(() => {
      throw new Error(`There is no whole pack in models/${basename(to)}: ${name} is missing.`);
    });
  const manifest = await read(MANIFEST);
  const damaged = (name) => new Error(`The pack in models/${basename(to)} is damaged: ${name} does not have the SHA-256 that is stated.`);
  if ((await read(SEAL)).toString() !== `${sha256(manifest)}  ${MANIFEST}\n`) throw damaged(MANIFEST);
  const { id, files } = JSON.parse(manifest.toString());
  if (id !== basename(to)) throw new Error(`The pack in models/${basename(to)} says that it is ${id}.`);
  // Those very bytes are written that were checked.
  const contents = new Map();
  for (const name of [...UNLISTED, ...Object.keys(files)]) {
    const bytes = await read(name);
    if (Object.hasOwn(files, name) && sha256(bytes) !== files[name].sha256) throw damaged(name);
    contents.set(name, bytes);
  }
  await rm(to, { recursive: true, force: true });
  await mkdir(to);
  for (const [name, bytes] of contents) await writeFile(join(to, name), bytes);
}

async function empty() {
  for (const name of [BASE_PACK, "LICENSE"]) await rm(join(HERE, name), { recursive: true, force: true });
}

async function fill() {
  await empty();
  await copySealed(join(ROOT, "models", BASE_PACK), join(HERE, BASE_PACK));
  await copyFile(join(ROOT, "LICENSE"), join(HERE, "LICENSE"));
}

function sha256(bytes) {
  return createHash("sha256").update(bytes).digest("hex");
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  try {
    await (process.argv[2] === "--empty" ? empty() : fill());
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
