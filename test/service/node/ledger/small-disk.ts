import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { lacksIf } from "../../../support/needs.ts";

/**
 * The start of a command line that runs a command on a file system of its own, of 1 MB. Its arguments are the folder to mount it on, then the command.
 * The file system is gone when the command ends.
 * @param prepare shell code to run before the command, in which `$0` is the folder
 */
export function onSmallDisk(prepare = "true"): string[] {
  const script = `mount -t tmpfs -o size=1m tmpfs "$0" && ${prepare} && exec "$@"`;
  return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script];
}

/** Some containers do not allow mounts. */
export const mayMount = spawnSync("unshare", [...onSmallDisk().slice(1), tmpdir(), "true"]).status === 0;

/** For `test.skipIf`. */
export const lacksMounts = (): boolean => lacksIf(!mayMount, "the right to mount a file system");
