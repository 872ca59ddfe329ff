import { DecideError } from "../../../errors.ts";
import { checkPrecision } from "../devices.ts";
import type { ModelPack } from "../pack/open-pack.ts";
import type { Runtime, Session, Placement } from "../runtime.ts";
import { createSession } from "../runtime.ts";
import type { EncoderManifest, GraphFiles } from "./manifest.ts";

/** Names of the files that an encoder needs. @throws {DecideError} `backend_unavailable` when the device, or the pack, does not have this arithmetic. */
export function encoderFilesFor(manifest: EncoderManifest, placement: Pick<Placement, "device" | "precision">): string[] {
  const { file, externalData = [] } = graphFor(manifest, placement);
  return [manifest.tokenizer.file, file, ...externalData];
}

/** @throws {DecideError} `model_invalid` when the runtime refuses the graph; `backend_unavailable` when the device or the pack does not have this arithmetic, or there is too little memory. */
export async function loadEncoderGraph(
  { manifest, read }: Pick<ModelPack<EncoderManifest>, "manifest" | "read">,
  runtime: Runtime,
  placement: Placement,
): Promise<{ readonly session: Session; readonly file: string }> {
  const { file, externalData = [] } = graphFor(manifest, placement);
  const weights = await Promise.all(externalData.map(async (path) => ({ path, data: await read(path) })));
  const graph = { file, bytes: await read(file), optimisation: "all", ...(weights.length > 0 && { externalData: weights }) } as const;
  return { session: await createSession(runtime, graph, placement), file };
}

function graphFor({ id, graphs }: EncoderManifest, { device, precision }: Pick<Placement, "device" | "precision">): GraphFiles {
  checkPrecision(device, precision);
  const graph = graphs[precision];
  if (graph !== undefined) return graph;
  const has = Object.keys(graphs).join(", ");
  throw new DecideError("backend_unavailable", `The model ${id} has no ${precision} graph. It has: ${has}.`);
}
