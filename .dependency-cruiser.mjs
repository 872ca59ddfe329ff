// Which room may import which: the table of ARCHITECTURE.md, "The rooms". `npm run check:code` holds it. Types count as imports, too.

/** A folder or file of src/, as a pattern. */
const at = (path) => `^src/${path}`;

/** What every room may import: the leaves of src/, packages, and what build.mjs writes. */
const EVERYWHERE = ["^src/(errors|version|sha256|web-types)\\.ts$", "node_modules", "^umpire", "^[a-z@][^/]*$"];

/** A room, and the rooms or files of src/ that it may import besides itself. */
const ROOMS = [
  ["validation/", []],
  ["async/", []],
  ["decide/", ["validation/", "engine/engine\\.ts$"]],
  ["bulk/", ["decide/", "validation/", "async/"]],
  ["check/", ["decide/", "validation/"]],
  ["lessons/", ["decide/", "engine/engine\\.ts$", "validation/", "async/"]],
  ["calibrating/", ["decide/", "lessons/fit/(cholesky|softmax)\\.ts$", "lessons/random\\.ts$", "engine/engine\\.ts$", "validation/"]],
  ["engine/(?!families/)", ["engine/", "validation/", "async/"]],
  [
    "decider/",
    [
      "decide/",
      "(bulk|lessons|explain|check)/",
      "engine/(engine|devices|progress)\\.ts$",
      "worker/(proxy|worker-thread)\\.ts$",
      "platform/platform\\.ts$",
      "validation/",
      "async/",
    ],
  ],
  ["explain/", ["decide/", "validation/"]],
  ["worker/(?!worker\\.)", ["engine/(engine|progress)\\.ts$", "validation/", "async/"]],
  ["worker/worker\\.", ["worker/", "platform/"]],
  ["platform/", ["engine/", "worker/", "validation/", "async/"]],
  ["http/", ["decide/", "decider/", "lessons/lesson\\.ts$", "validation/", "async/"]],
  ["serve/", ["http/", "decide/", "decider/", "lessons/lesson\\.ts$", "validation/", "async/"]],
  ["adding/", ["engine/", "platform/", "serve/keys/file-lock\\.ts$", "validation/", "async/"]],
  [
    "run/",
    [
      "decide/",
      "decider/",
      "bulk/index\\.ts$",
      "lessons/lesson\\.ts$",
      "cli/(bad-input|command-failed)\\.ts$",
      "cli/rows/",
      "serve/keys/file-lock\\.ts$",
      "serve/files/replace-file\\.ts$",
      "validation/",
    ],
  ],
  ["ai/", ["decide/", "decider/", "validation/"]],
  ["adding/hub/", ["adding/[^/]+$", "serve/keys/file-lock\\.ts$", "async/"]],
];

const mayImport = ([room, others]) => ({
  name: `room-${room.replaceAll(/[^a-z]+/g, "-")}`,
  comment: `src/${room} may import nothing of src/ but itself and: ${others.join(", ") || "nothing"}.`,
  severity: "error",
  from: { path: at(room) },
  to: { path: "^src/", pathNot: [...EVERYWHERE, at(room), ...others.map(at)] },
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
    ...ROOMS.map(mayImport),
    {
      name: "families-are-apart",
      comment: "A family is made of its own files and of what all families share. Nothing but the table imports a family.",
      severity: "error",
      from: { path: at("engine/families/([^/]+)/") },
      to: { path: at("engine/families/[^/]+/"), pathNot: at("engine/families/$1/") },
    },
    {
      name: "families-by-the-table",
      comment: "Only engine/families/families.ts and manifests.ts know the families.",
      severity: "error",
      from: { path: "^src/", pathNot: [at("engine/families/[^/]+/"), at("engine/families/(families|manifests)\\.ts$")] },
      to: { path: at("engine/families/[^/]+/") },
    },
    ...STAGES.map((stage) => ({
      name: `stage-${stage}`,
      comment:
        "A stage imports no code of another stage; decide.ts imports them all. The type of a stage's output is the next one's input.",
      severity: "error",
      from: { path: at(`decide/${stage}\\.ts$`) },
      to: {
        path: STAGES.filter((other) => other !== stage).map((other) => at(`decide/${other}\\.ts$`)),
        dependencyTypesNot: ["type-only"],
      },
    })),
    {
      name: "node-at-the-edge",
      comment:
        "Only the platform, Node's worker and entry, the server, the command line, the adding of models and runs over files know Node.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: ["platform/node/", "worker/worker\\.node", "index\\.node", "serve/", "cli/", "adding/", "run/"].map(at),
      },
      to: { dependencyTypes: ["core"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
  },
};
