import { DecideError } from "../../../../errors.ts";
import { checkPrecision } from "../../devices.ts";
import type { Device, Precision } from "../../engine.ts";
import type { ModelPack } from "../../pack/open-pack.ts";
import type { Runtime, Session, Placement } from "../../runtime.ts";
import { createSession } from "../../runtime.ts";
import type { SharedPremiseManifest } from "./manifest.ts";

export type GraphName = keyof Omit<SharedPremiseManifest["graphs"], "probe">;

/** The graph for each arithmetic of each device. */
const GRAPHS: { readonly [D in Device]: { readonly [P in Precision]?: GraphName } } = {
  cpu: { int8: "int8", fp32: "fp32" },
  wasm: { int8: "int8", fp32: "fp32" },
  webgpu: { fp16: "webgpu-fp16", fp32: "webgpu-fp32" },
};

export interface LoadedGraph {
  readonly session: Session;
  readonly name: GraphName;
  readonly file: string;
}

/** Names of the files that the device needs. @throws {DecideError} `backend_unavailable` */
export function filesFor(manifest: SharedPremiseManifest, placement: Pick<Placement, "device" | "precision">): string[] {
  const { basis } = manifest.features;
  return [manifest.tokenizer.file, fileOf(manifest, graphFor(placement)), manifest.weights, ...(basis ? [basis.file] : [])];
}

/**
 * Makes the session that runs a pack's segment graph on a device.
 * @throws {DecideError} `model_invalid` when the runtime refuses the graph; `backend_unavailable` when the device or the pack does not have this arithmetic, or there is too little memory.
 */
export async function loadGraph(pack: ModelPack<SharedPremiseManifest>, runtime: Runtime, placement: Placement): Promise<LoadedGraph> {
  const { manifest } = pack;
  const wanted = graphFor(placement);
  const { probe } = manifest.graphs;
  const isWide = wanted === "int8" && (await runtime.productsSaturate?.({ file: probe, bytes: await pack.read(probe) }));
  const name = isWide ? "int8-wide" : wanted;
  const file = fileOf(manifest, name);
  const graph = {
    file,
    bytes: await pack.read(file),
    externalData: [{ path: manifest.weights, data: await pack.read(manifest.weights) }],
    // The logits, three numbers an option, come back.
    keptOutputs: cacheParts(manifest).map((part) => `present.${part}`),
  };
  return { session: await createSession(runtime, graph, placement), name, file };
}

/** Names of the tensors of a KV cache: `0.key`, `0.value`, `1.key`, ... */
export function cacheParts({ network }: Pick<SharedPremiseManifest, "network">): string[] {
  return Array.from({ length: network.layers }, (_, layer) => [`${layer}.key`, `${layer}.value`]).flat();
}

function graphFor({ device, precision }: Pick<Placement, "device" | "precision">): GraphName {
  checkPrecision(device, precision);
  const name = GRAPHS[device][precision];
  if (name === undefined) throw new DecideError("internal", `No graph is known for ${precision} on ${device}.`);
  return name;
}

function fileOf({ id, graphs }: SharedPremiseManifest, graph: GraphName): string {
  const file = graphs[graph];
  if (file !== undefined) return file;
  throw new DecideError("backend_unavailable", `The model ${id} has no graph ${graph}. Use another device, or a newer model.`);
}
