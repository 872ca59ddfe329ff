import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";

/**
 * What a command is begun with to have a file system of its own, of 1 MB, over the folder that is the next argument; it is gone when the command ends.
 * `prepare`: shell code that runs before it, in which `$0` is the folder.
 */
export function onSmallDisk(prepare = "true"): string[] {
  const script = `mount -t tmpfs -o size=1m tmpfs "$0" && ${prepare} && exec "$@"`;
  return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script];
}

/** Some containers allow no mounts. */
export const mayMount = spawnSync("unshare", [...onSmallDisk().slice(1), tmpdir(), "true"]).status === 0;
