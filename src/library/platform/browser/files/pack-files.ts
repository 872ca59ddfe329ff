import { packs } from "umpire:assets";
import type { Asset } from "umpire:assets";
import type { ListedFile } from "../../../engine/pack/manifest.ts";
import type { PackFiles } from "../../../engine/pack/open-pack.ts";
import { DecideError } from "../../../../errors.ts";
import { sha256Hex } from "../../../sha256.ts";
import { BASE, BUILT_IN } from "../built-in.ts";
import { NotThere } from "./download.ts";
import type { RemoteFiles } from "./remote-files.ts";

/** The files of a pack: one of the package's own, the larger model beside them, or one in a folder that the page names. */
export function packFiles(packUrl: string, files: RemoteFiles): PackFiles {
  if (!packUrl.startsWith(BUILT_IN)) return folderFiles(packUrl, files);
  const id = packUrl.slice(BUILT_IN.length);
  return id === BASE ? baseFiles(files) : builtInFiles(id, files);
}

function builtInFiles(id: string, remote: RemoteFiles): PackFiles {
  const pack = packs[id];
  // The page's script lists the same packs: it comes from the same build.
  if (pack === undefined) throw new TypeError("the worker's script has no pack of the name that the page's script gave it");
  const { manifest, seal, files } = pack;
  const asset = (name: string, listed: ListedFile): Asset => {
    const url = files[name];
    if (url === undefined) throw new TypeError(`the worker's script has no URL for ${name}`);
    return { name, url, ...listed };
  };
  return {
    place: new URL(".", manifest.url).href,
    areLocal: false,
    // `read` gives no other manifest.
    isOfThisBuild: () => true,
    read: async (name, listed) => {
      if (listed !== undefined) return remote.fetch(asset(name, listed));
      return name === manifest.name ? remote.fetchChecked(manifest) : new TextEncoder().encode(seal);
    },
    readAnew: (name, listed) => remote.fetchAnew(asset(name, listed)),
    sha256: sha256Hex,
  };
}

function folderFiles(packUrl: string, remote: RemoteFiles): PackFiles {
  const urlOf = (name: string): URL => new URL(encodeURIComponent(name), packUrl);
  return {
    place: packUrl,
    areLocal: false,
    read: (name, listed) =>
      listed === undefined ? remote.fetchUnlisted(urlOf(name)) : remote.fetch({ name, url: urlOf(name), ...listed }),
    readAnew: (name, listed) => remote.fetchAnew({ name, url: urlOf(name), ...listed }),
    sha256: sha256Hex,
  };
}

/** This build knows no more of them than their place. As in any folder, they are checked against the seal that lies with them. */
function baseFiles(remote: RemoteFiles): PackFiles {
  // A bundler may have given the worker another place, but this is always that of its script.
  const files = folderFiles(new URL(`models/${BASE}/`, location.href).href, remote);
  return {
    ...files,
    read: (name, listed) =>
      files.read(name, listed).catch((cause: unknown) => {
        throw cause instanceof NotThere ? notCopied(name, files.place, cause) : cause;
      }),
  };
}

function notCopied(name: string, place: string, cause: Error): DecideError {
  const message = `There is no ${name} of the model ${BASE} in ${place}: ${cause.message}. Copy the folder node_modules/umpire-base/${BASE} there, or say where it is: createDecider({ model: "/models/${BASE}/" }).`;
  return new DecideError("model_not_found", message, { cause });
}
