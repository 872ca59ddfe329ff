// The software bill of materials, in CycloneDX 1.6. `npm sbom` would list what is installed; this lists what is inside the package's files.
// Nothing in it is a time or a random number: the same sources give the same bytes.

/** The licences of onnxruntime's own parts are in the text file only, which is as large as all the rest. */
const TEXTS = "THIRD_PARTY_LICENSES.txt";

/**
 * @param {object} of
 * @param {object} of.manifest the package's package.json
 * @param {object} of.lock package-lock.json
 * @param {string} of.ownLicence text of the Apache License 2.0, which is also that of the packs
 * @param {readonly import("./bundled.mjs").BundledPackage[]} of.bundled
 * @param {readonly { folder: string, path: string, sha256: string }[]} of.copies files that are copied from packages, as in dist/
 * @param {readonly Awaited<ReturnType<import("./packs.mjs").packPart>>[]} of.packs
 * @param {{ readonly [name: string]: { license: string } }} of.own package.json of packages that this repository makes, too: the lockfile does not know them
 */
export function toSbom({ manifest, lock, ownLicence, bundled, copies, packs, own: ours }) {
  const refOf = ({ name, version }) => npmPurl(name, version);
  const refAt = new Map(bundled.map((one) => [one.folder, refOf(one)]));
  const own = { ...named(manifest.name), version: manifest.version, purl: refOf(manifest) };
  const externals = notBundled(manifest, lock, [...refAt.values()], ours);
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      lifecycles: [{ phase: "build" }],
      component: {
        type: "library",
        "bom-ref": own.purl,
        ...own,
        description: manifest.description,
        licenses: [licensed(manifest.license, ownLicence)],
      },
    },
    components: [
      ...bundled.map((one) => ({
        type: "library",
        "bom-ref": refOf(one),
        ...named(one.name),
        version: one.version,
        scope: "required",
        hashes: hashesOf(lock, one.folder),
        licenses: [licensed(one.licence.id, one.licence.text)],
        purl: refOf(one),
        ...(one.licence.notices !== undefined && {
          externalReferences: [{ type: "license", url: TEXTS, comment: "The licences of the parts inside it, as its makers publish them" }],
        }),
        ...nested(copies.filter(({ folder }) => folder === one.folder)),
        evidence: occurring([...one.files].sort()),
        properties: [property("bundled", true)],
      })),
      ...packs.map((pack) => ({
        type: "machine-learning-model",
        "bom-ref": packRef(pack),
        name: pack.id,
        version: pack.version,
        description: pack.description,
        scope: "required",
        // The seal: the hash of the manifest, which holds the hashes of all other files.
        hashes: [{ alg: "SHA-256", content: pack.seal }],
        licenses: [licensed(pack.licenceId, ownLicence)],
        pedigree: {
          ancestors: [
            {
              type: "machine-learning-model",
              name: pack.startedFrom.name,
              version: pack.startedFrom.version,
              licenses: [licensed(pack.startedFrom.licenceId, ownLicence)],
              purl: pack.startedFrom.purl,
            },
          ],
        },
        externalReferences: [{ type: "model-card", url: `umpire/models/${pack.id}/MODEL_CARD.md` }],
        ...nested(pack.files),
        evidence: occurring([`dist/umpire/models/${pack.id}`]),
        properties: [property("bundled", true)],
      })),
      ...externals,
    ],
    dependencies: [
      {
        ref: own.purl,
        dependsOn: [
          ...bundled.filter(({ usedByUs }) => usedByUs).map(refOf),
          ...packs.map(packRef),
          ...externals.map((external) => external["bom-ref"]),
        ].sort(),
      },
      ...bundled.map((one) => ({ ref: refOf(one), dependsOn: [...one.uses].map((folder) => refAt.get(folder)).sort() })),
    ],
    // Compiled libraries name their parts, but not the versions of these.
    compositions: [{ aggregate: "incomplete", assemblies: bundled.filter(({ licence }) => licence.notices !== undefined).map(refOf) }],
  };
}

/**
 * What a user installs besides, or may install.
 * @param {readonly string[]} bundled references of packages of which something is bundled, such as their scripts, but not their binaries
 * @param {{ readonly [name: string]: { license: string } }} own as `toSbom`
 */
function notBundled({ dependencies = {}, optionalDependencies = {}, peerDependencies = {} }, lock, bundled, own) {
  const locked = (name) => lock.packages[`node_modules/${name}`];
  const refOf = (purl) => (bundled.includes(purl) ? `${purl}#installed` : purl);
  const external = (name, scope, rest, properties = []) => ({
    type: "library",
    "bom-ref": refOf(npmPurl(name, rest.version)),
    ...named(name),
    scope,
    ...rest,
    licenses: [{ license: { id: (own[name] ?? locked(name)).license } }],
    purl: npmPurl(name, rest.version),
    properties: [property("bundled", false), ...properties],
  });
  const exact = (scope) => (name) =>
    external(name, scope, { version: locked(name).version, hashes: hashesOf(lock, `node_modules/${name}`) });
  return [
    ...Object.keys(dependencies).map(exact("required")),
    ...Object.keys(optionalDependencies).map(exact("optional")),
    // Users choose the version.
    ...Object.entries(peerDependencies).map(([name, range]) => external(name, "optional", {}, [property("versions", range)])),
  ];
}

function licensed(id, content) {
  return { license: { id, text: { contentType: "text/plain", content } } };
}

function named(name) {
  const [group, base] = name.startsWith("@") ? name.split("/") : [undefined, name];
  return { ...(group !== undefined && { group }), name: base };
}

function npmPurl(name, version) {
  return `pkg:npm/${name.replace("@", "%40")}${version === undefined ? "" : `@${version}`}`;
}

function packRef({ id }) {
  return `pack:${id}`;
}

function property(name, value) {
  return { name: `umpire:${name}`, value: String(value) };
}

function nested(files) {
  const components = files.map(({ path, sha256 }) => ({ type: "file", name: path, hashes: [{ alg: "SHA-256", content: sha256 }] }));
  return components.length > 0 && { components };
}

function occurring(paths) {
  return { occurrences: paths.map((location) => ({ location })) };
}

/** The hash of the package as npm publishes it. */
function hashesOf(lock, folder) {
  const [alg, base64] = lock.packages[folder].integrity.split(/-(.*)/);
  return [{ alg: alg.replace("sha", "SHA-"), content: Buffer.from(base64, "base64").toString("hex") }];
}
