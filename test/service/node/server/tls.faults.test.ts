import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { get } from "node:https";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";

import { beforeAll, describe, expect, test } from "vitest";
import { lacks } from "../../../support/needs.ts";
import { sharedDecider as decider } from "../../../support/shared-decider.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { serveWith as serve } from "../running.ts";
import { rawClient } from "./raw-client.ts";

const folder = tempDir();
/** Longer than any test may take. */
const NEVER_MS = 1_000_000;

/** A self-signed certificate for 127.0.0.1. */
function selfSigned(name: string): { certPem: string; keyPem: string } {
  const [cert, key] = [join(folder, `${name}.crt`), join(folder, `${name}.key`)];
  const subject = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=IP:127.0.0.1"];
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", ...subject];
  execFileSync("openssl", [...made, "-keyout", key, "-out", cert], { stdio: "ignore" });
  return { certPem: readFileSync(cert, "utf8"), keyPem: readFileSync(key, "utf8") };
}

describe.skipIf(lacks("openssl"))("a server with a certificate", () => {
  let ours: ReturnType<typeof selfSigned>;
  beforeAll(() => {
    ours = selfSigned("ours");
  });

  test("speaks only HTTPS", async () => {
    await using server = await serve({ decider, port: 0, tls: ours });
    expect(server.url).toBe(`https://127.0.0.1:${server.port}`);
    const page = (path: string): Promise<string> =>
      new Promise((resolve, reject) => {
        get(`${server.url}${path}`, { ca: ours.certPem, agent: false }, (reply) => {
          resolve(text(reply));
        }).on("error", reject);
      });
    await expect.poll(() => page("/livez").catch(String)).toBe('{"status":"alive"}');

    const plain = await rawClient(server.port);
    plain.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    expect(await plain.closed()).not.toContain("alive");
    await expect.poll(() => page("/metrics").catch(String)).toMatch(/umpire_connection_errors_total\{kind="tls"\} [1-9]/u);
  });

  test("closes the connection of a client that sends nothing at all, after the time for headers", async () => {
    const limits = (headersMs: number): object => ({ connections: { headersMs, requestMs: NEVER_MS } });
    await using patient = await serve({ decider, port: 0, tls: ours }, limits(NEVER_MS));
    await using impatient = await serve({ decider, port: 0, tls: ours }, limits(300));
    // The first to come would be the first to go if Node's own limit held for both.
    const [first, second] = [await rawClient(patient.port), await rawClient(impatient.port)];
    expect(await Promise.race([first.closed().then(() => "patient"), second.closed().then(() => "impatient")])).toBe("impatient");
    expect(await second.closed()).toBe("");
  });

  test("does not wait for clients in a handshake, or idle after one, when it stops", async () => {
    const server = await serve({ decider, port: 0, tls: ours, shutdownMs: NEVER_MS });
    const silent = await rawClient(server.port);
    const idle = connect({ port: server.port, host: "127.0.0.1", ca: ours.certPem });
    await new Promise((resolve) => idle.once("secureConnect", resolve));
    expect(await server.close()).toEqual({ droppedRequests: 0 });
    await silent.closed();
  });

  test("refuses a certificate with a key of another certificate", async () => {
    const tls = { certPem: ours.certPem, keyPem: selfSigned("other").keyPem };
    await expect(serve({ decider, port: 0, tls })).rejects.toMatchObject({ code: "invalid_request" });
    await expect(serve({ decider, port: 0, tls: { certPem: "", keyPem: "" } })).rejects.toMatchObject({ code: "invalid_request" });
  });
});
