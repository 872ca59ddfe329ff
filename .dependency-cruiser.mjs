// Which room may import which (ARCHITECTURE.md, "The rooms"). `npm run check:code` holds it; types count as imports, too.

/** A folder or file of src/ and all that lies in it. */
const room = (path) => `^src/${path}`;

/** No module of `from` imports one of `to`. */
const never = (name, comment, from, to, except = []) => ({
  name,
  comment,
  severity: "error",
  from: { path: from.map(room), ...(except.length > 0 && { pathNot: except.map(room) }) },
  to: { path: to.map(room) },
});

const STAGES = ["request", "hypotheses", "probabilities", "answer", "usage"];

export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Modules that need each other are one module, or miss a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...STAGES.map((stage) => ({
      name: `stage-${stage}`,
      comment: "No stage imports another stage's code; decide.ts imports them all. Types of a stage's output are its reader's input.",
      severity: "error",
      from: { path: room(`decide/${stage}\\.ts$`) },
      to: {
        path: STAGES.filter((other) => other !== stage).map((other) => room(`decide/${other}\\.ts$`)),
        dependencyTypesNot: ["type-only"],
      },
    })),
    never(
      "engine-stands-alone",
      "The engine knows nothing of who calls it, nor of threads.",
      ["engine/"],
      ["decide/", "decider/", "worker/", "platform/", "http/", "serve/", "cli/", "ai/"],
    ),
    never(
      "decide-stands-alone",
      "Stages are pure: they see the engine's interface, no worker and no platform.",
      ["decide/"],
      ["decider/", "worker/", "platform/", "http/", "serve/", "cli/", "ai/"],
    ),
    never(
      "http-is-web-standard",
      "The handler runs wherever there are web-standard requests.",
      ["http/"],
      ["engine/", "worker/", "platform/", "serve/", "cli/"],
    ),
    never(
      "ai-uses-the-entry",
      "The AI SDK's provider uses the package as its users do.",
      ["ai/"],
      ["engine/", "worker/", "platform/", "http/", "serve/", "cli/"],
    ),
    never("nobody-imports-commands", "Commands are the outermost room.", [""], ["cli/"], ["cli/"]),
    {
      name: "node-at-the-edge",
      comment: "Only the platform, Node's worker and entries, the server and the command line know Node.",
      severity: "error",
      from: { path: "^src/", pathNot: ["platform/node/", "worker/worker\\.node", "index\\.node", "serve/", "cli/"].map(room) },
      to: { dependencyTypes: ["core"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
