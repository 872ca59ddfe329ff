import { Command } from "commander";
import type { Engines } from "../../models/engines.ts";
import type { InstalledModel } from "../../models/installed.ts";
import type { Device } from "../../../library/engine/engine.ts";
import type { Platform } from "../../../library/platform/platform.ts";
import type { Finding } from "../../doctor/finding.ts";
import type { Io } from "../io.ts";
import { showFinding } from "../output/findings-view.ts";
import { addOutputFlags, screenFor, writeJson } from "../output/screen.ts";
import type { OutputFlags } from "../output/screen.ts";
import { inWords } from "./in-words.ts";

const HELP = `
On each device that there is, and in each precision that the model has, it is
loaded, which checks its seal, the SHA-256 of every file and its self-test; then
it answers its golden questions, and its scores are compared with those when it
was added.

Exit codes: 0 nothing is wrong, 1 something is.
`;

/** `umpire models verify`: checks a model on each device. @param dist URL of the folder of the built package */
export function verifyCommand(io: Io, platform: Platform, dist: URL): Command {
  const command = new Command("verify").description("check a model's files and answers").argument("<id>", "the model's id");
  return addOutputFlags(command)
    .addHelpText("after", HELP)
    .action(async (id: string, flags: OutputFlags) => {
      // Imported here, because other commands start faster without it.
      const [{ installedModel }, { Engines: EnginesHere }] = await Promise.all([
        import("../../models/installed.ts"),
        import("../../models/engines.ts"),
      ]);
      const model = await inWords(installedModel(platform, id));
      const screen = screenFor(io, flags);
      const findings: Finding[] = [];
      for await (const finding of verified(platform, new EnginesHere(dist), model)) {
        findings.push(finding);
        if (screen !== undefined) io.stdout.write(showFinding(finding, screen));
      }
      const isRight = findings.every(({ status }) => status !== "problem");
      if (screen === undefined) writeJson(io, { ok: isRight, model: id, findings });
      io.exitCode = isRight ? 0 : 1;
    });
}

async function* verified(platform: Platform, engines: Engines, model: InstalledModel): AsyncGenerator<Finding, void, void> {
  const [{ placementsOf }, { checkNativeBinding }, { verifyModel }, { findingOf }] = await Promise.all([
    import("../../doctor/model.ts"),
    import("../../doctor/runtimes.ts"),
    import("../../models/verify-model.ts"),
    import("../../doctor/added-models.ts"),
  ]);
  const binding = await checkNativeBinding();
  // Without its binding, cpu is no device of this machine.
  const missing: readonly Device[] = binding.status === "ok" ? [] : ["cpu"];
  if (missing.length > 0) yield binding;
  const devices = platform.devices.filter((device) => !missing.includes(device));
  for (const place of await placementsOf(platform, model.id, devices)) {
    yield findingOf(await verifyModel(engines, model, place), model, `${place.device} ${place.precision}`);
  }
}
