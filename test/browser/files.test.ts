import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { PACKAGE_ROOT } from "../support/package-root.ts";
import { freshVisits } from "./support/fresh-visits.ts";
import { WEIGHTS, WEIGHTS_BYTES, decideOn, visit } from "./support/loading.ts";
import { openPage } from "./support/page.ts";
import { Site } from "./support/site.ts";

const fresh = freshVisits();

describe("the files", () => {
  it("may lie in the folder that the option assets names", async () => {
    const folder = fileURLToPath(new URL("dist/", PACKAGE_ROOT));
    const elsewhere = await Site.start({
      folder,
      pages: {
        "/": '<!doctype html><script type="module" src="/app/page.js"></script>',
        "/app/page.js": 'import * as umpire from "/index.browser.js"; globalThis.umpire = umpire;',
      },
    });
    const page = await openPage(fresh.visitor, elsewhere);
    for (const assets of ["/umpire/", "umpire", `${elsewhere.origin}/umpire`])
      expect((await decideOn(page, { assets })).choice).toBe("billing");
    await elsewhere.close();
  });

  it("of a pack may lie in the folder that the option model names", async () => {
    for (const model of ["/umpire/models/umpire-2/", "umpire/models/umpire-2", `${fresh.site.origin}/umpire/models/umpire-2`]) {
      const { choice, info } = await visit(fresh.visitor, fresh.site, { model });
      expect([choice, info.model]).toEqual(["billing", "umpire-2"]);
    }
  });

  it.each([
    ["missing", /model_invalid: weights\.bin of the model in http.* 404/s],
    ["an HTML page", /model_invalid: weights\.bin .*answered with an HTML page/s],
    ["damaged", /model_invalid: weights\.bin .*does not have the SHA-256/s],
    ["too long", /model_invalid: weights\.bin .*more than/s],
  ])("of a pack: one that is %s is named in the error, and loaded once it is whole", async (what, message) => {
    fresh.site.faults.set(WEIGHTS, (_, response) => {
      if (what === "missing") response.writeHead(404).end();
      else if (what === "an HTML page") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
      else {
        response.writeHead(200);
        const content = new Uint8Array(WEIGHTS_BYTES + (what === "too long" ? 1 : 0));
        response.end(content);
      }
    });
    await expect(visit(fresh.visitor, fresh.site)).rejects.toThrow(message);
    fresh.site.faults.clear();
    expect((await visit(fresh.visitor, fresh.site)).choice).toBe("billing");
  });

  it("of a pack without a manifest are refused", async () => {
    await expect(visit(fresh.visitor, fresh.site, { model: "/nowhere/" })).rejects.toThrow(/model_invalid: manifest\.json/);
  });
});
