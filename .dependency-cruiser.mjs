// Which wing may import which: the rules of ARCHITECTURE.md, "The wings". `npm run check:code` holds them. Types count as imports, too.

const LIBRARY = "^src/library/";
const SERVICE = "^src/service/";
const TOOLS = "^src/tools/";
const FILES = "^src/files/";
const AI = "^src/ai/";
const UPSTREAM = `${SERVICE}node/upstream/`;
const FAMILIES = `${LIBRARY}engine/families/`;

/** A rule: files at `from`, but not at `except`, import no file at `to`, unless it is at `unless`. */
const never = (name, comment, from, to, { except = [], unless = [] } = {}) => ({
  name,
  comment,
  severity: "error",
  from: { path: from, pathNot: except },
  to: { path: to, pathNot: unless },
});

export default {
  forbidden: [
    {
      name: "no-cycles",
      comment: "Modules that need each other are one module, or miss a third.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    never("library-below", "The library is what the other wings are built on: it imports none of them.", LIBRARY, [
      SERVICE,
      TOOLS,
      FILES,
      AI,
    ]),
    never(
      "wings-apart",
      "The service imports no tool, and the providers for frameworks import the library alone.",
      [SERVICE, AI],
      [TOOLS, AI],
      {
        unless: ["^src/ai/"],
      },
    ),
    never("files-is-a-leaf", "src/files imports nothing but the error class.", FILES, "^src/", { unless: [FILES, "^src/errors\\.ts$"] }),
    never(
      "engine-knows-no-decision",
      "The engine scores texts. It knows no question, and nobody who asks.",
      `${LIBRARY}(engine|tokenizer)/`,
      LIBRARY,
      {
        unless: [`${LIBRARY}(engine|tokenizer|validation|async|sha256)`],
      },
    ),
    {
      name: "families-are-apart",
      comment: "A family knows no sibling.",
      severity: "error",
      from: { path: `${FAMILIES}([^/]+)/` },
      to: { path: `${FAMILIES}[^/]+/`, pathNot: `${FAMILIES}$1/` },
    },
    never("families-by-the-table", "Only the tables of families know the families.", "^src/", `${FAMILIES}[^/]+/`, { except: [FAMILIES] }),
    {
      name: "upstream-on-demand",
      comment: "A service without a hosted API behind it loads nothing of what that takes.",
      severity: "error",
      from: { path: "^src/", pathNot: UPSTREAM },
      to: { path: UPSTREAM, dynamic: false, dependencyTypesNot: ["type-only"] },
    },
    {
      name: "node-at-the-edge",
      comment: "Only these know Node: a page loads all else.",
      severity: "error",
      from: {
        path: "^src/",
        pathNot: [FILES, `${SERVICE}node/`, TOOLS, `${LIBRARY}platform/node/`, `${LIBRARY}worker/worker\\.node`, "^src/index\\.node"],
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
