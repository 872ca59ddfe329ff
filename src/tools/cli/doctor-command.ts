import { readFile } from "node:fs/promises";
import { Command } from "commander";
import type { Platform } from "../../library/platform/platform.ts";
import { version } from "../../version.ts";
import { showFinding, type Finding } from "../doctor/machine.ts";
import type { Io } from "./io.ts";
import { addOutputFlags, screenFor, writeJson, type OutputFlags } from "./output/screen.ts";

const HELP = `
On each device that there is, and in each precision, it asks a few golden requests
and compares the answers with those of the model's reference; models that were
added are checked where they run fastest. Nothing is sent anywhere. It takes some
seconds.

Exit codes: 0 nothing is wrong, 1 something is.
`;

export function doctorCommand(io: Io, platform: Platform, dist: URL): Command {
  return addOutputFlags(new Command("doctor"))
    .description("check that it works on this machine")
    .addHelpText("after", HELP)
    .action(async (flags: OutputFlags) => {
      const screen = screenFor(io, flags);
      const findings: Finding[] = [];
      if (screen !== undefined) io.stdout.write(`${screen.paint("bold", `umpire ${version}`)}\n`);
      for await (const finding of examine(io, platform, dist)) {
        findings.push(finding);
        if (screen !== undefined) io.stdout.write(showFinding(finding, screen));
      }
      const problems = findings.filter(({ status }) => status === "problem").length;
      if (screen === undefined) writeJson(io, { ok: problems === 0, version, findings });
      else io.stdout.write(`\n${verdict(problems, findings)}\n`);
      io.exitCode = problems === 0 ? 0 : 1;
    });
}

/** Everything that is looked at, in order. What is cheap, and what a later problem may come from, is first. */
async function* examine(io: Io, platform: Platform, dist: URL): AsyncGenerator<Finding, void, void> {
  const [machine, models] = await Promise.all([import("../doctor/machine.ts"), import("../doctor/model.ts")]);
  const { engines } = JSON.parse(await readFile(new URL("../package.json", dist), "utf8")) as {
    readonly engines: { readonly node: string };
  };
  yield machine.checkNode(engines.node);
  yield machine.checkSystem();
  yield await machine.checkProcessor();
  yield await machine.checkProcessors(platform.defaultThreads);
  yield machine.checkMemory(await models.defaultPackBytes(platform));
  yield machine.checkSettings(io.env);
  const binding = await models.checkNativeBinding();
  yield binding;
  yield await models.checkWasmRuntime();
  yield* await models.checkPackages(platform);
  for await (const finding of models.checkModel(platform)) {
    yield finding;
    // A damaged model answers on no device.
    if (finding.name === "model" && finding.status === "problem") return;
  }
  yield* models.checkDevices(platform, dist, models.devicesBy(platform, binding));
  yield* models.checkAddedModels(platform, dist, io.env);
}

function verdict(problems: number, findings: readonly Finding[]): string {
  const hasNotes = findings.some(({ status }) => status === "note");
  if (problems === 0) return hasNotes ? "Nothing is wrong. The lines with ! say what could be better." : "Nothing is wrong.";
  return problems === 1 ? "One thing is wrong." : `${problems} things are wrong.`;
}
