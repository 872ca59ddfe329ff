import { Command, Option } from "commander";
import type { InstalledModel } from "../models/installed.ts";
import { createDeciderOn } from "../../library/decider/create-decider.ts";
import type { ModelSummary } from "../../library/decider/decider.ts";
import { listedModels, type ListedModel } from "../../service/handler/handler.ts";
import type { Platform } from "../../library/platform/platform.ts";
import { badInput, ToolError } from "../tool-error.ts";
import { showFinding, type Finding } from "../doctor/machine.ts";
import { addDeviceFlags, collected, refuseFlags } from "./input/flags.ts";
import { canAsk, confirm, type Io } from "./io.ts";
import type { AddFlags } from "./models/add.ts";
import { bytesText, escapeControls, fit, oneLine, wrap } from "./output/terminal-text.ts";
import { addOutputFlags, screenFor, writeJson, writeResult, type OutputFlags, type Screen } from "./output/screen.ts";
import { addRowsFlags, ROWS_HELP, withQuestionFiles } from "./input/request-flags.ts";
import type { CalibrateFlags } from "../models/calibrate/calibrate-pack.ts";

const HELP = `
The model umpire-3-base is larger and more accurate than umpire-2. It comes in an
npm package of its own; where that is installed, it is the default:
  $ npm install umpire-base

Models that you add lie in UMPIRE_HOME, or else in your folder for data of
programs. Nothing is ever fetched by "umpire decide", only by "umpire models add".

Examples:
  $ umpire models
  $ umpire models add ./nli-deberta-v3-base --as nli-base
  $ umpire models add org/name
  $ umpire decide --model nli-base --state "It rains." --ask "Is it dry?"
`;

export function modelsCommand(io: Io, platform: Platform, dist: URL): Command {
  return new Command("models")
    .description("list, add, verify, calibrate and remove models")
    .addCommand(listCommand(io, platform), { isDefault: true })
    .addCommand(addCommand(io, platform, dist))
    .addCommand(showCommand(io, platform))
    .addCommand(verifyCommand(io, platform, dist))
    .addCommand(calibrateCommand(io, platform))
    .addCommand(removeCommand(io, platform))
    .addHelpText("after", HELP);
}

interface Listed extends ListedModel {
  readonly x_built_in: boolean;
  /** The npm package that it came in; absent if that is umpire's own, or it was added. */
  readonly x_package?: string;
  /** Absent if the model is damaged, as the next two are. */
  readonly x_size_bytes?: number;
  readonly x_uncalibrated?: boolean;
  readonly x_source?: { readonly name: string; readonly revision?: string };
  readonly x_damage?: string;
}

function listCommand(io: Io, platform: Platform): Command {
  const list = addOutputFlags(new Command("list").description("list the models on this machine"));
  // It is what "umpire models" does alone, so a mistyped subcommand comes here, too.
  return list.allowExcessArguments().action(async (flags: OutputFlags, { args, parent }: Command) => {
    const [typed] = args;
    if (typed !== undefined && parent?.args[0] !== "list")
      parent?.error(`error: unknown command '${typed}'. "umpire models --help" lists them.`);
    if (typed !== undefined) list.error('error: "umpire models list" takes no arguments.');
    await using decider = createDeciderOn(platform);
    const models = await listedOf(platform, await decider.models());
    writeResult(io, flags, { models }, (screen) => {
      return [...models.map((model) => listedLines(model, screen)), ...more(platform, models, screen)].join("\n");
    });
  });
}

async function listedOf(platform: Platform, models: readonly ModelSummary[]): Promise<Listed[]> {
  const { installedModels, packBytes } = await import("../models/installed.ts");
  const installed = new Map((await installedModels(platform)).map((model) => [model.id, model]));
  return listedModels(models).map((listed): Listed => {
    const { isBuiltIn = true, packageName, manifest, damage } = installed.get(listed.name) ?? {};
    return {
      ...listed,
      x_built_in: isBuiltIn,
      ...(packageName !== undefined && { x_package: packageName }),
      ...(manifest && { x_size_bytes: packBytes(manifest), x_uncalibrated: manifest.calibration.uncalibrated ?? false }),
      ...(manifest?.source && { x_source: manifest.source }),
      ...(damage !== undefined && { x_damage: damage }),
    };
  });
}

function listedLines(model: Listed, { width, paint }: Screen): string {
  const { name, description, release_date: date, x_latest: isLatest, x_size_bytes: sizeBytes, x_damage: damage } = model;
  const facts = [
    ...(date === "" ? [] : [paint("dim", escapeControls(date))]),
    ...(isLatest ? [paint("green", "latest")] : []),
    ...(model.x_built_in ? [] : ["added"]),
    ...(model.x_package === undefined ? [] : [model.x_package]),
    ...(model.x_uncalibrated ? [paint("yellow", "uncalibrated")] : []),
    ...(damage === undefined ? [] : [paint("red", "damaged")]),
    ...(sizeBytes === undefined ? [] : [paint("dim", bytesText(sizeBytes))]),
  ];
  const lines = wrap(oneLine(damage ?? description), width - 2).map((line) => `  ${line}`);
  return `${[[paint("bold", escapeControls(name)), ...facts].join("  "), ...lines].join("\n")}\n`;
}

/** Lines on models of umpire's makers that are not installed. */
function more({ packaged = [] }: Platform, models: readonly Listed[], { width }: Screen): string[] {
  const absent = packaged.filter(({ packageName }) => !models.some((model) => model.x_package === packageName));
  return absent.map(({ id, packageName, sizeBytes }) => {
    const size = sizeBytes === undefined ? "" : ` (${bytesText(sizeBytes)})`;
    return `${wrap(`${id}, larger and more accurate, is a package away: npm install ${packageName}${size}`, width).join("\n")}\n`;
  });
}

const OTHER_NAMES = [
  ["license", "--licence"],
  ["id", "--as"],
  ["name", "--as"],
  ["output", "--out"],
  ["revision", "org/name@revision"],
] as const;

const ADD_HELP = `
The model must be a cross-encoder for natural language inference or a GLiClass
uni-encoder, in the layout of model hubs: config.json, tokenizer.json,
onnx/*.onnx. Of several graphs, int8 is taken where this processor computes it
exactly, else the plain one. The pack is sealed, and tested by running it. Variables of the hub's own tools are heeded:
HF_ENDPOINT, HF_TOKEN, HF_HOME, HF_HUB_CACHE, HF_HUB_OFFLINE.

Exit codes: 0 added, 1 failed, 2 bad input.

Examples:
  $ umpire models add ./nli-deberta-v3-base --as nli-base
  $ umpire models add org/name@main --file onnx/model_quantized.onnx --yes
  $ umpire models add ./my-model --template "The topic of this text is {option}."
  $ umpire models add ./my-model --out public/models/my-model
`;

function addCommand(io: Io, platform: Platform, dist: URL): Command {
  const command = new Command("add")
    .description("add a model from a folder, or from a model hub")
    .argument("<model>", "a folder, or org/name of a model hub, also org/name@revision")
    .option("--as <id>", "the id that it gets (default: made of its name)")
    .option("--file <path>", "the graph to take; give it again for one of another precision", collected)
    .option("--template <text>", 'how an option of a choice is put: "This is about {option}."')
    .option("--labels <names>", 'what the model\'s outputs mean, in order: "contradiction,neutral,entailment"')
    .option("--licence <licence>", "its licence (default: what its card says)")
    .addOption(new Option("--out <folder>", "write the pack to a new folder, for a page, instead of your models"))
    .option("-y, --yes", "do not ask before a large download");
  refuseFlags(command, OTHER_NAMES);
  return addOutputFlags(command)
    .addHelpText("after", ADD_HELP)
    .action(async (model: string, flags: AddFlags) => {
      const { add } = await import("./models/add.ts");
      await add(io, platform, dist, model, flags);
    });
}

function showCommand(io: Io, platform: Platform): Command {
  const command = new Command("show").description("show what a model is made of").argument("<id>", "the model's id");
  return addOutputFlags(command).action(async (id: string, flags: OutputFlags) => {
    const { installedModel, packBytes } = await import("../models/installed.ts");
    const model = await installedModel(platform, id);
    const { manifest, folder, isBuiltIn, packageName, damage } = model;
    if (manifest === undefined) throw new ToolError(damage ?? "The model's manifest cannot be read.");
    const sizeBytes = packBytes(manifest);
    const facts = { folder, builtIn: isBuiltIn, package: packageName, sizeBytes, manifest };
    writeResult(io, flags, facts, (screen) => manifestLines(model, sizeBytes, manifest, screen));
  });
}

const NAME_CELLS = 12;

function manifestLines(
  { id, folder, isBuiltIn, packageName }: InstalledModel,
  sizeBytes: number,
  manifest: NonNullable<InstalledModel["manifest"]>,
  { width, paint }: Screen,
): string {
  const { source, limits, calibration, files } = manifest;
  const ownSource = isBuiltIn ? `the package ${packageName ?? "umpire"}` : "unknown";
  const listed = Object.entries(files).map(([name, file]) => `${name} (${bytesText(file.sizeBytes)})`);
  const rows: (readonly [name: string, text: string])[] = [
    ["", manifest.description],
    ["family", manifest.family],
    ["source", source === undefined ? ownSource : [source.name, source.revision].filter(Boolean).join(" @ ")],
    ["licence", manifest.licence],
    ["date", manifest.releaseDate],
    ["calibrated", calibration.uncalibrated === true ? "no: probabilities are as the model states them" : "yes"],
    ...("labels" in manifest ? [["labels", manifest.labels.join(", ")] as const] : []),
    ...("templates" in manifest ? templateRows(manifest.templates) : []),
    [
      "limits",
      `${limits.stateTokens} tokens of text, read ${limits.windowTokens} at a time; ${limits.instructionsTokens} of instructions, ${limits.optionTokens} an option`,
    ],
    ["graphs", Object.keys(manifest.graphs).join(", ")],
    ["files", listed.join(", ")],
    ["size", bytesText(sizeBytes)],
    ["folder", folder],
  ];
  const lines = rows.flatMap(([name, text]) => {
    const [first = "", ...more] = wrap(oneLine(text), width - NAME_CELLS - 2);
    const indent = " ".repeat(NAME_CELLS + 2);
    return [`  ${paint("dim", fit(name, NAME_CELLS))}${first}`, ...more.map((line) => indent + line)];
  });
  return `${[paint("bold", id), ...lines].join("\n")}\n`;
}

/** A template is a text, or has several parts with names. */
function templateRows(templates: object): (readonly [string, string])[] {
  return Object.entries<string | object>({ ...templates }).map(([type, template], i) => {
    const parts = typeof template === "string" ? [template] : Object.entries(template).map(([part, text]) => `${part} ${text}`);
    return [i === 0 ? "templates" : "", `${type === "noul" ? "yes/no" : type}: ${parts.join(", ")}`] as const;
  });
}

const VERIFY_HELP = `
On each device that there is, and in each precision that the model has, it is
loaded, which checks its seal, the SHA-256 of every file and its self-test; then
it answers its golden questions, and its scores are compared with those when it
was added.

Exit codes: 0 nothing is wrong, 1 something is.
`;

function verifyCommand(io: Io, platform: Platform, dist: URL): Command {
  const command = new Command("verify").description("check a model's files and answers").argument("<id>", "the model's id");
  return addOutputFlags(command)
    .addHelpText("after", VERIFY_HELP)
    .action(async (id: string, flags: OutputFlags) => {
      const { installedModel } = await import("../models/installed.ts");
      const model = await installedModel(platform, id);
      const screen = screenFor(io, flags);
      const findings: Finding[] = [];
      for await (const finding of verified(platform, dist, model)) {
        findings.push(finding);
        if (screen !== undefined) io.stdout.write(showFinding(finding, screen));
      }
      const isRight = findings.every(({ status }) => status !== "problem");
      if (screen === undefined) writeJson(io, { ok: isRight, model: id, findings });
      io.exitCode = isRight ? 0 : 1;
    });
}

async function* verified(platform: Platform, dist: URL, model: InstalledModel): AsyncGenerator<Finding, void, void> {
  const [{ checkNativeBinding, devicesBy, modelFinding, placementsOf }, { verifyModel }] = await Promise.all([
    import("../doctor/model.ts"),
    import("../models/self-test.ts"),
  ]);
  const binding = await checkNativeBinding();
  if (binding.status !== "ok") yield binding;
  for (const place of await placementsOf(platform, model.id, devicesBy(platform, binding))) {
    yield modelFinding(await verifyModel(dist, model, place), model, `${place.device} ${place.precision}`);
  }
}

function removeCommand(io: Io, platform: Platform): Command {
  return new Command("remove")
    .description("remove a model that was added")
    .argument("<id>", "the model's id")
    .option("-y, --yes", "do not ask")
    .action(async (id: string, { yes }: { readonly yes?: true }) => {
      const { installedModel, packBytes, removeModel } = await import("../models/installed.ts");
      const model = await installedModel(platform, id);
      if (yes !== true && !model.isBuiltIn) {
        if (!canAsk(io)) throw badInput(`This removes the model ${id} from the disk. Say that you want it: --yes.`);
        const size = model.manifest === undefined ? "" : ` (${bytesText(packBytes(model.manifest))})`;
        if (!(await confirm(io, `Remove the model ${id}${size} from the disk`))) {
          io.stderr.write("Nothing was removed.\n");
          return;
        }
      }
      await removeModel(model);
      io.stderr.write(`The model ${id} is removed.\n`);
    });
}

const CALIBRATE_HELP = `${ROWS_HELP}

A type of question is fitted from 100 questions on; others stay as they were.
Take rows that the model was not trained on. Calibrate before you teach: a
lesson holds for the model as it was when the lesson was made.

Exit codes: 0 calibrated, 1 failed, 2 bad input, 3 calibrated without some rows.

Examples:
  $ umpire models calibrate nli-deberta-v3-small tickets.jsonl
  $ umpire models calibrate ./models/mine mails.csv question.json
`;

function calibrateCommand(io: Io, platform: Platform): Command {
  const command = new Command("calibrate")
    .description("fit an added model's probabilities to your own rows with known answers")
    .argument("<model>", "id or folder of the model");
  return addOutputFlags(addDeviceFlags(addRowsFlags(command)))
    .addHelpText("after", CALIBRATE_HELP)
    .action(async (model: string, file: string, questions: readonly string[], flags: CalibrateFlags) => {
      const { calibratePack } = await import("../models/calibrate/calibrate-pack.ts");
      await calibratePack(io, platform, model, file, withQuestionFiles(io, questions, flags));
    });
}
