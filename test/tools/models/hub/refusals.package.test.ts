import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { COMMIT, LARGE, MODEL, SMALL, TOKEN, failure, newPlace } from "./set-up.ts";
import type { Place } from "./set-up.ts";

let place: Place;
let host: string;
beforeEach(async () => {
  place = await newPlace();
  host = new URL(place.hub.url).host;
});
afterEach(() => place.end());

/** Lets the hub answer everything, or only files, with an error. */
function refuse(status: number, headers: Readonly<Record<string, string>> = {}, onlyFiles = false): void {
  place.hub.fail("hub", ({ url = "" }, response) => {
    if (onlyFiles && !url.includes("/resolve/")) return false;
    response.writeHead(status, headers).end();
    return true;
  });
}

describe("what a hub refuses", () => {
  it("a model that there is not", async () => {
    expect(await failure(() => place.open({ model: "some-org/none" }))).toBe(
      `${host} has no model some-org/none, or it is private (401). Check the name; for a private one set HF_TOKEN to a token that may read it.`,
    );
    refuse(404, { "x-error-code": "RepoNotFound" });
    expect(await failure(() => place.open({ env: { HF_TOKEN: TOKEN } }))).toBe(
      `${host} has no model ${MODEL}, or it is private (404). Check the name; for a private one the token from HF_TOKEN must be one that may read it.`,
    );
  });

  it.each(["v2", "f".repeat(40)])("a revision that there is not: %s", async (revision) => {
    expect(await failure(() => place.open({ revision }))).toBe(
      `${MODEL} has no such revision on ${host}. Give a branch, a tag or a commit that ${place.hub.url}/${MODEL}/tree/main lists.`,
    );
  });

  it("the files of a model whose terms were not accepted", async () => {
    refuse(401, { "x-error-code": "GatedRepo" }, true);
    const source = await place.open();
    expect(await failure(() => source.fetch(SMALL))).toBe(
      `${host} gives ${MODEL} only to people who accept its terms (401). Accept them on ${place.hub.url}/${MODEL}, and set HF_TOKEN to a token of your account there.`,
    );
    refuse(403, { "x-error-code": "GatedRepo" }, true);
    const withToken = await place.open({ env: { HF_TOKEN: TOKEN } });
    expect(await failure(() => withToken.fetch(SMALL))).toBe(
      `${host} gives ${MODEL} only to people who accept its terms (403). Accept them on ${place.hub.url}/${MODEL}, and see that the token from HF_TOKEN may read it.`,
    );
    expect(place.pausesMs).toEqual([]);
  });

  it("a token that it does not know", async () => {
    refuse(401);
    expect(await failure(() => place.open({ env: { HF_TOKEN: TOKEN } }))).toBe(
      `${host} refuses the token from HF_TOKEN (401). Make a new one in your account there, or unset it for a public model.`,
    );
  });

  it("a file that it lists", async () => {
    refuse(404, { "x-error-code": "EntryNotFound" }, true);
    const source = await place.open();
    expect(await failure(() => source.fetch(SMALL))).toContain(`${host} lists a file of ${MODEL} that it does not have (404).`);
  });

  it("anything else", async () => {
    refuse(418);
    expect(await failure(() => place.open())).toContain(`${host} refuses the request (418). Check that HF_ENDPOINT`);
  });
});

describe("a hub that does not work at the moment", () => {
  it("is asked four times, with pauses, and each is said", async () => {
    refuse(503);
    expect(await failure(() => place.open())).toBe(
      `${host} does not work at the moment (503). Run the command again later: files that are whole are kept.`,
    );
    expect(place.hub.seen).toHaveLength(4);
    expect(place.pausesMs).toEqual([1000, 2000, 4000]);
    expect(place.notices).toEqual([1, 2, 4].map((seconds) => `${host} does not work at the moment (503). Trying again in ${seconds} s.`));
  });

  it("is left alone for as long as it wants, if that is not too long", async () => {
    refuse(429, { "retry-after": "7" });
    expect(await failure(() => place.open())).toContain(`${host} gets too many requests from here (429).`);
    expect(place.pausesMs).toEqual([7000, 7000, 7000]);
    refuse(429, { "retry-after": "3600" });
    await failure(() => place.open());
    expect(place.pausesMs).toHaveLength(3);
  });

  it("is used once it works again", async () => {
    let failures = 0;
    place.hub.fail("hub", (_, response) => {
      failures += 1;
      if (failures > 2) return false;
      response.writeHead(502).end();
      return true;
    });
    expect((await place.open()).revision).toBe(COMMIT);
  });

  it("is asked for a new address of a file where the old one is refused", async () => {
    let refusals = 0;
    place.hub.fail("files", (_, response) => {
      refusals += 1;
      if (refusals > 1) return false;
      response.writeHead(403).end();
      return true;
    });
    const source = await place.open();
    await source.fetch(LARGE);
    expect(place.notices).toEqual([`The server that ${host} redirects to refuses the file (403). Trying again in 1 s.`]);
    expect(place.hub.filesAsked()).toEqual([LARGE, LARGE]);
  });

  it("is not waited for once the signal is aborted", async () => {
    refuse(503);
    const ending = new AbortController();
    const opening = place.open({
      // By the real clock.
      pause: undefined,
      signal: ending.signal,
      onNotice: () => {
        ending.abort(new Error("enough"));
      },
    });
    await expect(opening).rejects.toThrow("enough");
    expect(place.hub.seen).toHaveLength(1);
  });
});

describe("a hub that cannot be reached", () => {
  /** A port where nobody listens. */
  async function closedPort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }

  it("is said, with what to do", async () => {
    const port = await closedPort();
    const env = { HF_ENDPOINT: `http://127.0.0.1:${port}` };
    expect(await failure(() => place.open({ env }))).toBe(
      `127.0.0.1:${port} cannot be reached (ECONNREFUSED). Check the network and HF_ENDPOINT, and run the command again: files that are whole are kept. HF_HUB_OFFLINE=1 uses what the cache has.`,
    );
    expect(place.notices).toHaveLength(3);
    expect(await failure(() => place.open({ env: { ...env, HTTPS_PROXY: "http://proxy" } }))).toContain("NODE_USE_ENV_PROXY=1");
  });

  it("since it says nothing, is given up", async () => {
    place.hub.fail("hub", () => true);
    expect(await failure(() => place.open({ silenceMs: 20 }))).toContain(`${host} sent nothing for 0.02 s.`);
    expect(place.hub.seen).toHaveLength(4);
  });

  /** As Node's fetch fails. */
  const failing = (code: string) => () =>
    Promise.reject(new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) }));

  it("since its name does not exist, is said", async () => {
    expect(await failure(() => place.open({ fetch: failing("ENOTFOUND") }))).toContain(`${host} cannot be reached (ENOTFOUND).`);
  });

  it("since its certificate is not trusted, is said at once", async () => {
    expect(await failure(() => place.open({ fetch: failing("DEPTH_ZERO_SELF_SIGNED_CERT") }))).toContain("NODE_EXTRA_CA_CERTS");
    expect(place.pausesMs).toEqual([]);
  });
});
