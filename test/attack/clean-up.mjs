// Whatever ends this program, no child process and no file of it stays behind.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const children = new Set();
const folder = mkdtempSync(join(tmpdir(), "umpire-attack-"));
// For what this program's parts and its children put into the folder for temporary files.
process.env.TMPDIR = folder;

/** Kills a child process at the end, unless it has ended by then. Returns it. */
export function killedAtEnd(child) {
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** Makes a new folder, which is removed at the end. */
export const newFolder = () => mkdtempSync(join(folder, "attack-"));

process.once("exit", () => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(130));
