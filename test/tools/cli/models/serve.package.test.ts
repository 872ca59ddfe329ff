import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ServerProcess, freeFixedPort } from "../../../service/node/server-process.ts";
import { PACKAGE_ROOT } from "../../../support/package-root.ts";
import { umpire } from "../../../support/command-line.ts";
import { tempDir } from "../../../support/temp-dir.ts";

interface Listed {
  readonly models: readonly { readonly name: string }[];
}

const BODY = {
  state: "It came late.",
  questions: { which: { type: "choice", instructions: "What came?", criteria: { parcel: null, letter: null } } },
};

const home = tempDir();
let server: ServerProcess;

beforeAll(async () => {
  for (const name of ["bert", "gliclass"]) {
    const folder = fileURLToPath(new URL(`test/fixtures/models/${name}`, PACKAGE_ROOT));
    const { code, stderr } = await umpire(["models", "add", folder, "--as", `my-${name}`, "--licence", "mit"], { env: { UMPIRE_HOME: home } });
    expect([code, stderr]).toEqual([0, ""]);
  }
  server = await ServerProcess.start(await freeFixedPort(), ["--alias", "gpt-6-luna=my-bert"], [], { UMPIRE_HOME: home });
});

afterAll(async () => {
  expect(await server.end("SIGTERM")).toBe(0);
});

function ask(model: string): Promise<Response> {
  const headers = { "content-type": "application/json" };
  return fetch(`${server.url}/decision/v1/model`, { method: "POST", headers, body: JSON.stringify({ ...BODY, model }) });
}

test("the service lists models that were added beside the built-in one", async () => {
  const { models } = (await (await fetch(`${server.url}/decision/v1/models`)).json()) as Listed;
  expect(models.map(({ name }) => name).sort()).toEqual(["my-bert", "my-gliclass", "umpire-2"]);
});

test.each(["my-bert", "my-gliclass"])("%s answers to its id, as the command line's model does", async (id) => {
  const response = await ask(id);
  expect(response.status).toBe(200);
  const { model, answers } = (await response.json()) as { model: string; answers: { which: { probabilities: object } } };
  expect([model, Object.keys(answers.which.probabilities)]).toEqual([id, ["parcel", "letter"]]);
  const args = ["decide", "--model", id, "--state", BODY.state, "--choose", "What came? parcel, letter"];
  const decided = JSON.parse((await umpire(args, { env: { UMPIRE_HOME: home } })).stdout) as { answers: { choose: object } };
  expect(decided.answers.choose).toEqual(answers.which);
});

test("a further name of a model is answered by that model, which the answer names", async () => {
  expect(await (await ask("gpt-6-luna")).json()).toMatchObject({ model: "my-bert" });
});

test.each(["latest", "jev-latest", "umpire-2"])("%s is the built-in model", async (name) => {
  expect(await (await ask(name)).json()).toMatchObject({ model: "umpire-2" });
});

test("a name of no model is 404, with the names that there are; a folder's path is no name", async () => {
  const { error } = (await (await ask("my-bart")).json()) as { error: { code: string; message: string } };
  expect(error).toMatchObject({
    code: "model_not_found",
    message: 'There is no model "my-bart". Did you mean "my-bert"? There are: umpire-2, my-bert, my-gliclass, gpt-6-luna, latest, jev-latest.',
  });
  for (const name of ["my-bart", join(home, "models", "my-bert"), "../models/my-bert"]) expect((await ask(name)).status).toBe(404);
});
