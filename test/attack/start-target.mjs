import { createHash } from "node:crypto";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openLedger } from "umpire/serve";
import { newFolder } from "./clean-up.mjs";
import { newSecret } from "./markers.mjs";
import { Target } from "./target.mjs";

const LEDGER = "credits.db";
/** More than a key can spend. */
const RICH = 1e15;

/**
 * @typedef {object} Needs what a target is started with
 * @property {string[]} [keys] names of keys; without them, the service has no keys. The honest caller has the key "honest"
 * @property {{ [key: string]: number }} [credits] balances in nanocredits; keys that are not named are rich. Without it, nothing costs anything
 * @property {string[]} [flags] more flags of `umpire serve`
 * @property {(folder: string) => string[]} [prefix] a command that runs its arguments as a command; the folder holds the ledger
 * @property {string} [disk] folder where the server finds the ledger, if the prefix brings it there
 * @property {number} [keyFileMode] default: 0o600
 * @property {{ [variable: string]: string }} [env] more variables of its environment
 * @property {string} [inside] a script of this folder that the server's process loads, too
 * @property {number} [port] default: any
 * @property {boolean} [honest] whether an honest caller asks during the attack; default: true
 * @property {boolean} [watched] whether the server is watched; not if the attack ends it; default: true
 */

/** Starts a server, warms it up, and watches it from then on. @param {Needs} needs */
export async function startTarget(needs = {}) {
  const folder = newFolder();
  const secrets = Object.fromEntries((needs.keys ?? []).map((name) => [name, newSecret()]));
  const keyFile = join(folder, "keys.json");
  if (needs.keys !== undefined) await writeKeys(keyFile, secrets, needs.keyFileMode);
  if (needs.credits !== undefined) await makeLedger(join(folder, LEDGER), needs);
  const target = new Target({ folder, secrets, keyFile, ledgerFile: join(needs.disk ?? folder, LEDGER) });
  await target.start(needs);
  if (needs.watched === false) return target;
  if (needs.honest !== false) await target.warmUp();
  await target.watch(needs);
  return target;
}

export async function writeKeys(keyFile, secrets, mode = 0o600) {
  const sha256 = (secret) => createHash("sha256").update(secret).digest("hex");
  const keys = Object.entries(secrets).map(([name, secret]) => ({ name, sha256: sha256(secret) }));
  await writeFile(keyFile, JSON.stringify({ keys }));
  await chmod(keyFile, mode);
}

async function makeLedger(path, { keys, credits }) {
  const ledger = await openLedger(path);
  for (const name of keys) await ledger.topUp(name, credits[name] ?? RICH);
  await ledger.close();
}
