import { readFile } from "node:fs/promises";
import { arch, cpus } from "node:os";
import type { Finding } from "./finding.ts";

/** Instructions that make the model faster, by the name that Linux gives them. */
const FEATURES: readonly (readonly [feature: string, names: readonly string[]])[] = [
  ["AVX2", ["avx2"]],
  ["AVX-512", ["avx512f"]],
  ["VNNI", ["avx512_vnni", "avx_vnni"]],
  ["AMX", ["amx_int8"]],
  ["NEON", ["neon", "asimd"]],
  ["dot products", ["asimddp"]],
  ["int8 matrix products", ["i8mm"]],
];

/** The processor's model and those of its features that matter here. */
export async function checkProcessor(): Promise<Finding> {
  const model = cpus()[0]?.model.trim() ?? "";
  const cpuinfo = await readFile("/proc/cpuinfo", "utf8").catch(() => undefined);
  const features = featuresFrom(cpuinfo, arch());
  const known = model === "" || model === "unknown" ? null : model;
  const listed =
    features === undefined ? "features unknown on this system" : features.join(", ") || "none of the features that speed it up";
  return {
    name: "processor",
    status: "ok",
    text: `${known ?? "model unknown"}: ${listed}`,
    facts: { model: known, features: features ?? null },
  };
}

/**
 * @param cpuinfo the text of Linux's /proc/cpuinfo, if there is one
 * @param architecture Node's name of it
 * @returns undefined if they are unknown
 */
export function featuresFrom(cpuinfo: string | undefined, architecture: string): readonly string[] | undefined {
  const line = /^(?:flags|Features)\s*:(.*)$/mu.exec(cpuinfo ?? "")?.[1];
  // Every 64-bit ARM processor has NEON. What else it has, only Linux tells.
  if (line === undefined) return architecture === "arm64" ? ["NEON"] : undefined;
  const flags = new Set(line.trim().split(/\s+/u));
  return FEATURES.filter(([, names]) => names.some((name) => flags.has(name))).map(([feature]) => feature);
}
