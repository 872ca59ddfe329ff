import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "./command.ts";

const PACKAGE = "typesafe-sdk==0.7.5";

/** Installs the official client for Python into a new folder, which the caller removes. Otherwise returns the reason why it is not available. */
export async function pythonWithSdk(): Promise<{ folder: string; python?: string; missing?: string }> {
  const folder = await mkdtemp(join(tmpdir(), "umpire-python-"));
  const python = join(folder, "bin", "python");
  const steps = [
    ["python3", "-m", "venv", folder],
    [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE],
  ] as const;
  for (const [command, ...args] of steps) {
    const failed = await runCommand(command, args, { timeoutMs: 120_000 }).then(
      ({ code, stderr }) => (code === 0 ? undefined : stderr.trim().split("\n").at(-1)),
      (error: unknown) => String(error),
    );
    if (failed !== undefined) return { folder, missing: `${PACKAGE} cannot be installed: ${failed}` };
  }
  return { folder, python };
}
