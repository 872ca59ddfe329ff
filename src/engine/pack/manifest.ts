import { DecideError } from "../../errors.ts";
import { isPlainObject } from "../../validation/shape.ts";
import type { AccuracyPoint, Calibration, TokenLimits, Precision } from "../engine.ts";

export const MANIFEST = "manifest.json";

export const LABELS = ["entailment", "neutral", "contradiction"] as const;

/** What a manifest says of a file. */
export interface ListedFile {
  readonly sizeBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

/** Those whose scores a pack states. */
type TestedPrecision = Exclude<Precision, "fp16">;

/** A pack's manifest, checked. Token counts and sizes are whole numbers; temperatures are above 0. */
export interface Manifest {
  readonly id: string;
  readonly family: "shared-premise";
  readonly description: string;
  readonly releaseDate: string;
  readonly licence: string;
  /** What the three logits mean, in order. */
  readonly labels: readonly (typeof LABELS)[number][];
  readonly network: { readonly layers: number; readonly heads: number; readonly headSize: number; readonly positions: number };
  readonly limits: TokenLimits;
  readonly tokenizer: { readonly file: string; readonly clsId: number; readonly sepId: number; readonly padId: number };
  readonly weights: string;
  readonly graphs: {
    readonly int8: string;
    readonly "int8-wide": string;
    readonly fp32: string;
    readonly probe: string;
    /** Absent in packs that run on processors alone. */
    readonly "webgpu-fp16"?: string;
    readonly "webgpu-fp32"?: string;
  };
  readonly calibration: Calibration;
  /** A question whose scores are known, answered whenever the pack is loaded. */
  readonly selfTest: {
    readonly state: string;
    readonly instructions: string;
    readonly options: readonly string[];
    readonly scores: { readonly [P in TestedPrecision]: readonly number[] };
    /** How far from `scores` a measured one may lie; fp16 is compared with the fp32 scores. */
    readonly tolerance: { readonly [P in TestedPrecision]: number } & { readonly fp16?: number };
  };
  readonly files: { readonly [name: string]: ListedFile };
}

/**
 * The text of a manifest.json as a checked manifest.
 * @throws {DecideError} `model_invalid` naming the manifest and the field at fault.
 */
export function parseManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw invalidManifest("is no JSON", cause);
  }
  const root = new Field(value, "");
  if (root.get("format").value !== 1) throw invalidManifest("has a format other than 1; a newer umpire may read it");
  const positions = root.get("network", "positions").count(1);
  const limits: TokenLimits = {
    stateTokens: root.get("limits", "stateTokens").count(1),
    windowTokens: root.get("limits", "windowTokens").count(4, positions),
    overlapTokens: root.get("limits", "overlapTokens").count(0),
    instructionsTokens: root.get("limits", "instructionsTokens").count(1, positions),
    optionTokens: root.get("limits", "optionTokens").count(1, positions),
  };
  if (limits.overlapTokens > limits.windowTokens - 3)
    throw invalidManifest("has limits.overlapTokens that leave a window nothing of its own");
  // Each segment adds two special tokens, and an option's positions follow its question's.
  if (limits.instructionsTokens + limits.optionTokens + 4 > positions) throw invalidManifest("has limits above its network.positions");
  return {
    id: root.get("id").text(),
    family: root.get("family").oneOf("shared-premise"),
    description: root.get("description").text(),
    releaseDate: root.get("releaseDate").text(),
    licence: root.get("licence").text(),
    labels: readLabels(root.get("labels")),
    network: {
      layers: root.get("network", "layers").count(1, 1000),
      heads: root.get("network", "heads").count(1, 1000),
      headSize: root.get("network", "headSize").count(1, 10_000),
      positions,
    },
    limits,
    tokenizer: {
      file: root.get("tokenizer", "file").text(),
      clsId: root.get("tokenizer", "clsId").count(0),
      sepId: root.get("tokenizer", "sepId").count(0),
      padId: root.get("tokenizer", "padId").count(0),
    },
    weights: root.get("weights").text(),
    graphs: {
      int8: root.get("graphs", "int8").text(),
      "int8-wide": root.get("graphs", "int8-wide").text(),
      fp32: root.get("graphs", "fp32").text(),
      probe: root.get("graphs", "probe").text(),
      ...optional("webgpu-fp16", root.get("graphs", "webgpu-fp16"), (field) => field.text()),
      ...optional("webgpu-fp32", root.get("graphs", "webgpu-fp32"), (field) => field.text()),
    },
    calibration: readCalibration(root.get("calibration")),
    selfTest: readSelfTest(root.get("selfTest")),
    files: readFiles(root.get("files")),
  };
}

/** A part of an object literal: the field by its name where the manifest has it, else nothing. */
function optional<const K extends string, V>(name: K, field: Field, read: (field: Field) => V): { readonly [P in K]?: V } {
  return field.value === undefined ? {} : ({ [name]: read(field) } as { readonly [P in K]: V });
}

function readLabels(field: Field): Manifest["labels"] {
  const labels = field.list().map((label) => label.oneOf(...LABELS));
  if (labels.length !== LABELS.length || new Set(labels).size !== LABELS.length)
    throw invalidManifest("has labels other than entailment, neutral and contradiction, each once");
  return labels;
}

function readCalibration(field: Field): Calibration {
  const choice = field
    .get("choice")
    .list()
    .map((bucket) => ({
      maxOptions: bucket.get("maxOptions").count(2),
      temperature: bucket.get("temperature").positive(),
    }));
  if (choice.length === 0 || choice.some(({ maxOptions }, i) => i > 0 && maxOptions <= (choice[i - 1]?.maxOptions ?? 0))) {
    throw invalidManifest("has a calibration.choice that is empty or does not ascend by maxOptions");
  }
  return {
    choice,
    noul: { temperature: field.get("noul", "temperature").positive(), bias: field.get("noul", "bias").number() },
    score: { temperature: field.get("score", "temperature").positive() },
    ...optional("accuracyByConfidence", field.get("accuracyByConfidence"), (accuracy) => ({
      choice: readAccuracy(accuracy.get("choice")),
      noul: readAccuracy(accuracy.get("noul")),
      score: readAccuracy(accuracy.get("score")),
    })),
  };
}

function readAccuracy(field: Field): AccuracyPoint[] {
  const points = field.list().map((point) => ({
    confidence: point.get("confidence").share(),
    accuracy: point.get("accuracy").share(),
  }));
  const falls = points.some(({ confidence, accuracy }, i) => {
    const before = points[i - 1];
    return before !== undefined && (confidence <= before.confidence || accuracy < before.accuracy);
  });
  if (points.length === 0 || falls) throw invalidManifest(`has a ${field.path} that is empty or does not ascend`);
  return points;
}

function readSelfTest(field: Field): Manifest["selfTest"] {
  const options = field
    .get("options")
    .list()
    .map((option) => option.text());
  const scores = (precision: TestedPrecision): number[] =>
    field
      .get("scores", precision)
      .list()
      .map((score) => score.number());
  return {
    state: field.get("state").text(),
    instructions: field.get("instructions").text(),
    options,
    scores: { int8: scores("int8"), fp32: scores("fp32") },
    tolerance: {
      int8: field.get("tolerance", "int8").positive(),
      fp32: field.get("tolerance", "fp32").positive(),
      ...optional("fp16", field.get("tolerance", "fp16"), (tolerance) => tolerance.positive()),
    },
  };
}

function readFiles(field: Field): Manifest["files"] {
  const names = Object.keys(isPlainObject(field.value) ? field.value : {});
  return Object.fromEntries(
    names.map((name) => [name, { sizeBytes: field.get(name, "sizeBytes").count(0), sha256: field.get(name, "sha256").text() }]),
  );
}

/** A value of the manifest together with its place, which every complaint names. */
class Field {
  readonly value: unknown;
  readonly path: string;

  constructor(value: unknown, path: string) {
    this.value = value;
    this.path = path;
  }

  get(...names: string[]): Field {
    const [name, ...rest] = names;
    if (name === undefined) return this;
    const inner = isPlainObject(this.value) && Object.hasOwn(this.value, name) ? this.value[name] : undefined;
    return new Field(inner, this.path === "" ? name : `${this.path}.${name}`).get(...rest);
  }

  list(): Field[] {
    if (!Array.isArray(this.value)) throw this.wrong("an array");
    return this.value.map((item, i) => new Field(item, `${this.path}.${i}`));
  }

  text(): string {
    if (typeof this.value !== "string" || this.value === "") throw this.wrong("a text");
    return this.value;
  }

  oneOf<const S extends string>(...allowed: S[]): S {
    const found = allowed.find((name) => name === this.value);
    if (found === undefined) throw this.wrong(allowed.join(" or "));
    return found;
  }

  number(): number {
    if (typeof this.value !== "number" || !Number.isFinite(this.value)) throw this.wrong("a number");
    return this.value;
  }

  positive(): number {
    if (this.number() <= 0) throw this.wrong("above 0");
    return this.number();
  }

  share(): number {
    const value = this.number();
    if (value < 0 || value > 1) throw this.wrong("from 0 to 1");
    return value;
  }

  count(min: number, max: number = Number.MAX_SAFE_INTEGER): number {
    const value = this.number();
    if (!Number.isInteger(value) || value < min || value > max) throw this.wrong(`a whole number from ${min} to ${max}`);
    return value;
  }

  wrong(expected: string): DecideError {
    return invalidManifest(`has a ${this.path} that is not ${expected}`);
  }
}

function invalidManifest(what: string, cause?: unknown): DecideError {
  return new DecideError("model_invalid", `${MANIFEST} ${what}. The pack is damaged or was changed by hand: install it again.`, { cause });
}
